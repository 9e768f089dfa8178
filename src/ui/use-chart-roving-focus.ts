import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'

export type ChartRovingFocus = ReturnType<typeof useChartRovingFocus>

/** Spread `mark(index)` onto each mark; `start` is the index at which Tab enters. */
export function useChartRovingFocus(count: number, start = 0) {
  const marks = useRef<(HTMLElement | SVGElement | null)[]>([])
  const [focused, setFocused] = useState<number>()
  const [hovered, setHovered] = useState<number>()
  const stop = Math.min(focused ?? start, count - 1)
  return {
    active: hovered ?? focused,
    frame: {
      onKeyDown(event: KeyboardEvent) {
        const steps: Record<string, number> = {
          ArrowRight: stop + 1,
          ArrowDown: stop + 1,
          ArrowLeft: stop - 1,
          ArrowUp: stop - 1,
        }
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : steps[event.key]
        if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        marks.current[Math.min(count - 1, Math.max(0, to))]?.focus()
      },
      onBlur: () => setFocused(undefined),
      onPointerLeave: () => setHovered(undefined),
    },
    mark: (index: number) => ({
      ref: (element: HTMLElement | SVGElement | null) => {
        marks.current[index] = element
      },
      tabIndex: index === stop ? 0 : -1,
      onFocus: () => setFocused(index),
      // On touch, `pointerleave` fires when the finger lifts, so touch relies on focus instead.
      onPointerEnter: ({ pointerType }: PointerEvent) => setHovered(pointerType === 'mouse' ? index : undefined),
    }),
  }
}
