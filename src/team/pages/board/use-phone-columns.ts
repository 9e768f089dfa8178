import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BoardColumn } from './board-cards.ts'

const SETTLES_MS = 150

/** Of a phone's columns: the one that is looked at, one that a swipe brings next, or further away. A desk looks at all. */
export type Nearness = 'shown' | 'next' | 'far'

type PhoneColumnsOptions = {
  board: RefObject<HTMLDivElement | null>
  isPhone: boolean
  columns: readonly BoardColumn[]
  /** The column that the address names. */
  stage: string | undefined
  /** The column that a swipe has brought. */
  onColumn: (stage: string) => void
}

/**
 * One column at a time: the address and the swiped column follow each other. Each column begins at its top: those beside the one that is looked at stand as far down as the page
 * is scrolled (`lowered`, px), and what a swipe brings into view stays where it is seen.
 */
export function usePhoneColumns({ board, isPhone, columns, stage, onColumn }: PhoneColumnsOptions) {
  const ids = columns.map((column) => column.stage.id).join()
  const names = ids.split(',')
  const shownAt = Math.max(0, names.indexOf(stage ?? ''))
  const [lowered, setLowered] = useState(0)

  useEffect(() => {
    const element = board.current
    if (!isPhone || !element) return
    const width = element.clientWidth
    if (Math.round(element.scrollLeft / width) !== shownAt) element.scrollTo?.({ left: shownAt * width })
    let timer: ReturnType<typeof setTimeout> | undefined
    const all = ids.split(',')
    const onScroll = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const at = Math.round(element.scrollLeft / element.clientWidth)
        const seen = all[at]
        if (seen !== undefined && at !== shownAt) onColumn(seen)
      }, SETTLES_MS)
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', onScroll)
    }
  }, [board, isPhone, ids, shownAt, onColumn])

  useEffect(() => {
    if (!isPhone) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setLowered(beyondTop(board.current)), SETTLES_MS)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('scroll', onScroll)
    }
  }, [board, isPhone])

  const before = useRef(shownAt)
  useLayoutEffect(() => {
    if (before.current === shownAt) return
    before.current = shownAt
    const beyond = isPhone ? beyondTop(board.current) : 0
    if (beyond > 0) window.scrollBy({ top: -beyond, behavior: 'instant' })
    setLowered(0)
  }, [board, isPhone, shownAt])

  const nearnessOf = (id: string): Nearness => {
    const away = isPhone ? Math.abs(names.indexOf(id) - shownAt) : 0
    return away === 0 ? 'shown' : away === 1 ? 'next' : 'far'
  }
  const topOfBoard = useCallback(() => window.scrollY - beyondTop(board.current), [board])
  return { nearnessOf, lowered, topOfBoard }
}

/** How far the top of the board has gone out of sight under the page's head, px. */
function beyondTop(board: HTMLElement | null): number {
  if (!board) return 0
  const head = Number.parseFloat(getComputedStyle(board).scrollMarginTop) || 0
  return Math.max(0, Math.round(head - board.getBoundingClientRect().top))
}
