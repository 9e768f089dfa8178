import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** Auto-scroll near the edge: distance in px and speed in px per frame. */
const EDGE = 48
const SPEED = 10

type DragOrderOptions<Item> = {
  list: RefObject<HTMLElement | null>
  order: readonly Item[]
  onDrag: (item: Item, to: number) => void
  onDrop: (item: Item, at: number) => void
}

/**
 * Reordering by drag with mouse, pen or touch. Items move while dragging; Esc reverts. Buttons must offer the same
 * (WCAG 2.5.7).
 */
export function useDragOrder<Item>({ list, order, onDrag, onDrop }: DragOrderOptions<Item>) {
  const [dragged, setDragged] = useState<Item>()
  const drag = useRef<{ readonly item: Item; readonly from: number; y: number }>(undefined)
  const latest = useRef({ order, onDrag })
  useEffect(() => {
    latest.current = { order, onDrag }
  })

  const placeUnderPointer = () => {
    const held = drag.current
    if (!held || !list.current) return
    const { order: now, onDrag: tell } = latest.current
    const at = now.indexOf(held.item)
    const others = [...list.current.children].filter((_, index) => index !== at)
    const to = others.filter((child) => middleOf(child) < held.y).length
    if (to !== at) tell(held.item, to)
  }
  const end = (isKept: boolean) => {
    const held = drag.current
    if (!held) return
    drag.current = undefined
    setDragged(undefined)
    const { order: now, onDrag: tell } = latest.current
    if (!isKept) tell(held.item, held.from)
    else if (now.indexOf(held.item) !== held.from) onDrop(held.item, now.indexOf(held.item))
  }

  const finish = useRef(end)
  const place = useRef(placeUnderPointer)
  useEffect(() => {
    finish.current = end
    place.current = placeUnderPointer
  })
  useEffect(() => {
    if (dragged === undefined) return
    const scroller = scrollerOf(list.current)
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Otherwise the surrounding dialog would close.
      event.stopImmediatePropagation()
      event.preventDefault()
      finish.current(false)
    }
    let frame = requestAnimationFrame(function roll() {
      const y = drag.current?.y
      if (scroller && y !== undefined) {
        const { top, bottom } = scroller.getBoundingClientRect()
        const by = y < top + EDGE ? -SPEED : y > bottom - EDGE ? SPEED : 0
        if (by !== 0) {
          scroller.scrollTop += by
          place.current()
        }
      }
      frame = requestAnimationFrame(roll)
    })
    window.addEventListener('keydown', onKeyDown, true)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('keydown', onKeyDown, true)
    }
  }, [dragged, list])

  return {
    dragged,
    grip: (event: PointerEvent, item: Item) => {
      if (event.button !== 0) return
      event.preventDefault()
      // Capture on the list: an item that moves in the DOM loses the pointer.
      list.current?.setPointerCapture(event.pointerId)
      drag.current = { item, from: order.indexOf(item), y: event.clientY }
      setDragged(item)
    },
    listProps: {
      onPointerMove: ({ clientY }: PointerEvent) => {
        if (!drag.current) return
        drag.current.y = clientY
        placeUnderPointer()
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    },
  }
}

function middleOf(element: Element): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  let parent = element?.parentElement ?? null
  while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement
  return parent
}
