import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BoardColumn } from './board-column-data.ts'

const SCROLL_SETTLE_MS = 150

/** Distance of a column from the active one on a phone. On desktop all columns are `shown`. */
export type BoardColumnDistance = 'shown' | 'next' | 'far'

type PhoneColumnsOptions = {
  board: RefObject<HTMLDivElement | null>
  isPhone: boolean
  columns: readonly BoardColumn[]
  stage: string | undefined
  onColumn: (stage: string) => void
}

/**
 * Syncs the URL with the column that the user swiped to. Inactive columns are shifted down by the page's scroll
 * position (`lowered`, px), so that each starts at its top and does not jump when swiped to.
 */
export function usePhoneBoardColumns({ board, isPhone, columns, stage, onColumn }: PhoneColumnsOptions) {
  const ids = columns.map((column) => column.stage.id).join()
  const names = ids.split(',')
  const stageIndex = stage === undefined ? -1 : names.indexOf(stage)
  const shownAt = Math.max(0, stageIndex)
  const [lowered, setLowered] = useState(0)

  useEffect(() => {
    const element = board.current
    if (!isPhone || !element) return
    const width = element.clientWidth
    if (Math.round(element.scrollLeft / width) !== shownAt) element.scrollTo?.({ left: shownAt * width })
    const stageIds = ids.split(',')
    return onScrollSettled(element, () => {
      const at = Math.round(element.scrollLeft / element.clientWidth)
      const visibleStage = stageIds[at]
      if (visibleStage !== undefined && at !== shownAt) onColumn(visibleStage)
    })
  }, [board, isPhone, ids, shownAt, onColumn])

  useEffect(() => {
    if (!isPhone) return
    return onScrollSettled(window, () => setLowered(beyondTop(board.current)))
  }, [board, isPhone])

  const previousIndex = useRef(shownAt)
  useLayoutEffect(() => {
    if (previousIndex.current === shownAt) return
    previousIndex.current = shownAt
    const beyond = isPhone ? beyondTop(board.current) : 0
    if (beyond > 0) window.scrollBy({ top: -beyond, behavior: 'instant' })
    setLowered(0)
  }, [board, isPhone, shownAt])

  const nearnessOf = (id: string): BoardColumnDistance => {
    const away = isPhone ? Math.abs(names.indexOf(id) - shownAt) : 0
    return away === 0 ? 'shown' : away === 1 ? 'next' : 'far'
  }
  const topOfBoard = () => window.scrollY - beyondTop(board.current)
  return { nearnessOf, lowered, topOfBoard }
}

function onScrollSettled(target: EventTarget, handler: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onScroll = () => {
    clearTimeout(timer)
    timer = setTimeout(handler, SCROLL_SETTLE_MS)
  }
  target.addEventListener('scroll', onScroll, { passive: true })
  return () => {
    clearTimeout(timer)
    target.removeEventListener('scroll', onScroll)
  }
}

function beyondTop(board: HTMLElement | null): number {
  if (!board) return 0
  const head = Number.parseFloat(getComputedStyle(board).scrollMarginTop) || 0
  return Math.max(0, Math.round(head - board.getBoundingClientRect().top))
}
