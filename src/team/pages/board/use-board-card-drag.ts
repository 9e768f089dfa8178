import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

const DRAG_THRESHOLD_PX = 6
const EDGE_PX = 48
const SCROLL_PX = 14

export type BoardCardDrag = {
  readonly id: string
  readonly over: string | undefined
  readonly by: 'pointer' | 'keys'
}

type CardDragOptions = {
  board: RefObject<HTMLElement | null>
  ghost: RefObject<HTMLElement | null>
  onDrop: (id: string, stage: string) => void
}

const columnAt = (x: number, y: number) =>
  document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>('[data-column]')?.dataset.column)
    .find((stage) => stage !== undefined)

/**
 * Drags cards by pointer. A mouse can grab a card anywhere except on links and buttons; touch must use the handle, so
 * that the page still scrolls. During a drag only the column border re-renders; the dragged copy moves by an inline
 * style. Esc cancels.
 */
export function useBoardCardDrag({ board, ghost, onDrop }: CardDragOptions) {
  const [drag, setDrag] = useState<BoardCardDrag>()
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const startDrag = (event: ReactPointerEvent, id: string) => {
    if (event.button !== 0) return
    const target = event.target as HTMLElement
    const isHandle = target.closest('[data-handle]') !== null
    if (!isHandle && (event.pointerType !== 'mouse' || target.closest('a, button') !== null)) return
    const start = { x: event.clientX, y: event.clientY }
    let over: string | undefined
    let isDragging = false
    let frame = 0
    let last = start

    const scroll = () => {
      const around = board.current?.getBoundingClientRect()
      if (around) {
        if (last.x < around.left + EDGE_PX) board.current!.scrollLeft -= SCROLL_PX
        if (last.x > around.right - EDGE_PX) board.current!.scrollLeft += SCROLL_PX
      }
      frame = requestAnimationFrame(scroll)
    }
    const moveGhost = () => {
      if (ghost.current) ghost.current.style.transform = `translate(${last.x + 8}px, ${last.y - 24}px) rotate(2.5deg)`
    }
    const onMove = (move: PointerEvent) => {
      if (move.pointerId !== event.pointerId) return
      last = { x: move.clientX, y: move.clientY }
      if (!isDragging && Math.hypot(last.x - start.x, last.y - start.y) < DRAG_THRESHOLD_PX) return
      const next = columnAt(last.x, last.y)
      if (!isDragging || next !== over) setDrag({ id, over: next, by: 'pointer' })
      if (!isDragging) scroll()
      isDragging = true
      over = next
      requestAnimationFrame(moveGhost)
    }
    const endDrag = () => {
      stop.current = undefined
      cancelAnimationFrame(frame)
      document.removeEventListener('pointermove', onMove)
      document.removeEventListener('pointerup', onUp)
      document.removeEventListener('pointercancel', endDrag)
      document.removeEventListener('keydown', onKey, true)
      document.documentElement.classList.remove('is-dragging')
      setDrag(undefined)
    }
    const onUp = () => {
      const stage = isDragging ? over : undefined
      endDrag()
      if (stage !== undefined) onDrop(id, stage)
    }
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return
      key.stopPropagation()
      endDrag()
    }
    stop.current = endDrag
    document.addEventListener('pointermove', onMove)
    document.addEventListener('pointerup', onUp)
    document.addEventListener('pointercancel', endDrag)
    document.addEventListener('keydown', onKey, true)
    document.documentElement.classList.add('is-dragging')
  }

  return { drag, setDrag, begin: startDrag }
}
