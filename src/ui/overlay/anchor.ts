import { type RefObject, useLayoutEffect, useState } from 'react'

export type AnchoredPlace = {
  top: number
  left: number | undefined
  right: number | undefined
  minWidth: number
  maxHeight: number
}
type Box = { top: number; bottom: number; left: number; right: number; width: number }
type Size = { width: number; height: number }

/** Between anchor and panel, unless the caller asks for more; and between panel and the edge of the window. CSS pixels. */
const GAP = 4
const EDGE = 8
/** A panel opens upwards when less than this is free below and more is free above. */
const LEAST_BELOW = 200

/** Whether an anchor lies in the right half of the window: what opens under it is then right-aligned (specification section 9). */
export const isInRightHalf = ({ left, right }: Pick<Box, 'left' | 'right'>, windowWidth: number): boolean =>
  (left + right) / 2 > windowWidth / 2

/**
 * Place of a panel under its anchor, in CSS pixels of the viewport (specification section 9): left-aligned, right-aligned
 * when the anchor lies in the right half of the window, at least as wide as the anchor, and never past the window's edge.
 */
export function placeUnder(anchor: Box, viewport: Size, panel: Size, gap = GAP): AnchoredPlace {
  const inRightHalf = isInRightHalf(anchor, viewport.width)
  const below = viewport.height - anchor.bottom - gap - EDGE
  const above = anchor.top - gap - EDGE
  const upwards = below < Math.min(panel.height, LEAST_BELOW) && above > below
  const maxHeight = Math.max(upwards ? above : below, 120)
  const mostInset = Math.max(viewport.width - panel.width - EDGE, EDGE)
  const inset = (wanted: number) => Math.min(Math.max(wanted, EDGE), mostInset)
  return {
    top: upwards ? anchor.top - gap - Math.min(panel.height, maxHeight) : anchor.bottom + gap,
    left: inRightHalf ? undefined : inset(anchor.left),
    right: inRightHalf ? inset(viewport.width - anchor.right) : undefined,
    minWidth: anchor.width,
    maxHeight,
  }
}

/** Keeps a panel at its anchor while the window scrolls or changes size; undefined until it is measured. */
export function useAnchoredPlace(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  gap?: number,
): AnchoredPlace | undefined {
  const [place, setPlace] = useState<AnchoredPlace>()
  useLayoutEffect(() => {
    if (!open) return
    const update = () => {
      if (!anchor.current) return
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const size = { width: panel.current?.offsetWidth ?? 0, height: panel.current?.scrollHeight ?? 0 }
      setPlace(placeUnder(anchor.current.getBoundingClientRect(), viewport, size, gap))
    }
    update()
    // Lazy content changes the height of the panel after it opened.
    const observer = new ResizeObserver(update)
    if (panel.current) observer.observe(panel.current)
    window.addEventListener('resize', update)
    window.addEventListener('scroll', update, { capture: true, passive: true })
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', update, { capture: true })
    }
  }, [open, anchor, panel, gap])
  return open ? place : undefined
}

/** Where a floating panel belongs in the document: inside the modal that its anchor stands in, whose focus it shares, or the body. */
export function floatRoot(anchor: HTMLElement | null): HTMLElement {
  return anchor?.closest<HTMLElement>('[data-modal-panel]') ?? document.body
}
