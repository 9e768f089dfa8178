import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** Near the edge of what scrolls the list moves on by itself: distance and speed, px and px per frame. */
const EDGE = 48
const SPEED = 10

type DragOrderOptions<Item> = {
  list: RefObject<HTMLElement | null>
  /** What the children of the list stand for. */
  order: readonly Item[]
  onDrag: (item: Item, to: number) => void
  onDrop: (item: Item, at: number) => void
}

/**
 * Order by dragging with mouse, pen or finger: the items make way as one is dragged over them, Esc puts it back. For hands
 * that do not drag, buttons have to do the same (WCAG 2.5.7).
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
      // The dialog around the list would close.
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
    /** A press on the grip of an item. */
    grip: (event: PointerEvent, item: Item) => {
      if (event.button !== 0) return
      event.preventDefault()
      // The list, not the grip: an item that is moved in the document would lose the pointer.
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
