import { type KeyboardEvent, useState } from 'react'

export type ChartWalk = {
  /** The mark that is pointed at or has the focus: its text is shown. */
  readonly active: number | undefined
  /** Of the chart's frame. */
  readonly frame: {
    onKeyDown(event: KeyboardEvent<Element>): void
    onBlur(): void
    onPointerLeave(): void
  }
  /** Of the mark at this place. */
  mark(index: number): {
    'data-mark': number
    tabIndex: number
    onFocus(): void
    onPointerEnter(event: { readonly pointerType: string }): void
  }
}

/**
 * One stop of the Tab key for a whole chart: arrows, Home and End go through its marks in their order, and the pointer shows the one under it.
 * Marks carry what `mark` gives them; `start` is where Tab enters.
 */
export function useChartWalk(count: number, start = 0): ChartWalk {
  const [focused, setFocused] = useState<number>()
  const [hovered, setHovered] = useState<number>()
  const stop = Math.min(focused ?? start, count - 1)
  return {
    active: hovered ?? focused,
    frame: {
      onKeyDown(event) {
        const steps: Record<string, number> = {
          ArrowRight: stop + 1,
          ArrowDown: stop + 1,
          ArrowLeft: stop - 1,
          ArrowUp: stop - 1,
        }
        const to = event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : steps[event.key]
        if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return
        event.preventDefault()
        const next = Math.min(count - 1, Math.max(0, to))
        event.currentTarget.querySelector<HTMLElement>(`[data-mark="${next}"]`)?.focus()
      },
      onBlur: () => setFocused(undefined),
      onPointerLeave: () => setHovered(undefined),
    },
    mark: (index) => ({
      'data-mark': index,
      tabIndex: index === stop ? 0 : -1,
      onFocus: () => setFocused(index),
      // A finger leaves as it lifts: what it has touched has the focus and stays shown.
      onPointerEnter: ({ pointerType }) => setHovered(pointerType === 'mouse' ? index : undefined),
    }),
  }
}
