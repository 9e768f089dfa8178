import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

const SCROLL_EDGE_PX = 48
const SCROLL_PX_PER_FRAME = 10

type DragOrderOptions<Item> = {
  list: RefObject<HTMLElement | null>
  order: readonly Item[]
  onDrag: (item: Item, to: number) => void
  onDrop: (item: Item, at: number) => void
}

/**
 * Reorders a list by dragging with mouse, pen or touch. Items move while dragging; Esc reverts. Buttons must offer the
 * same reordering (WCAG 2.5.7).
 */
export function useDragReorder<Item>({ list, order, onDrag, onDrop }: DragOrderOptions<Item>) {
  const [dragged, setDragged] = useState<Item>()
  const drag = useRef<{ readonly item: Item; readonly from: number; y: number }>(undefined)

  const placeUnderPointer = () => {
    const activeDrag = drag.current
    if (!activeDrag || !list.current) return
    const at = order.indexOf(activeDrag.item)
    const otherItems = [...list.current.children].filter((_, index) => index !== at)
    const to = otherItems.filter((child) => verticalCenter(child) < activeDrag.y).length
    if (to !== at) onDrag(activeDrag.item, to)
  }
  const end = (isCommitted: boolean) => {
    const activeDrag = drag.current
    if (!activeDrag) return
    drag.current = undefined
    setDragged(undefined)
    const at = order.indexOf(activeDrag.item)
    if (!isCommitted) onDrag(activeDrag.item, activeDrag.from)
    else if (at !== activeDrag.from) onDrop(activeDrag.item, at)
  }

  const cancel = useEffectEvent(() => end(false))
  const placeAfterScroll = useEffectEvent(placeUnderPointer)
  useEffect(() => {
    if (dragged === undefined) return
    const scroller = findScroller(list.current)
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // Stop the event, because Esc would otherwise also close the surrounding dialog.
      event.stopImmediatePropagation()
      event.preventDefault()
      cancel()
    }
    let frame = requestAnimationFrame(function roll() {
      const y = drag.current?.y
      if (scroller && y !== undefined) {
        const { top, bottom } = scroller.getBoundingClientRect()
        const by =
          y < top + SCROLL_EDGE_PX ? -SCROLL_PX_PER_FRAME : y > bottom - SCROLL_EDGE_PX ? SCROLL_PX_PER_FRAME : 0
        if (by !== 0) {
          scroller.scrollTop += by
          placeAfterScroll()
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
      // Capture the pointer on the list, because an item that moves in the DOM loses it.
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

function verticalCenter(element: Element): number {
  const { top, height } = element.getBoundingClientRect()
  return top + height / 2
}

function findScroller(element: HTMLElement | null): HTMLElement | null {
  let parent = element?.parentElement ?? null
  while (parent && !/auto|scroll/.test(getComputedStyle(parent).overflowY)) parent = parent.parentElement
  return parent
}
