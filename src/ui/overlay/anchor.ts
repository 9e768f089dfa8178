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

/** Default gap between anchor and panel, and minimum distance from panel to window edge, CSS pixels. */
const GAP = 4
const EDGE = 8
/** A panel opens upwards if less than this is free below and more is free above. */
const LEAST_BELOW = 200

/**
 * True if the anchor's centre is in the right half of the window, where panels are right-aligned (specification section
 * 9).
 */
export const isInRightHalf = ({ left, right }: Pick<Box, 'left' | 'right'>, windowWidth: number): boolean =>
  (left + right) / 2 > windowWidth / 2

/**
 * Returns the position of a panel below its anchor, in viewport CSS pixels (specification section 9): left-aligned, or
 * right-aligned if the anchor is in the right half; at least as wide as the anchor and always inside the window.
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

/** Tracks the anchor while the window scrolls or resizes; undefined until measured. */
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
    // Lazy content may change the panel's height after opening.
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

/**
 * Returns the portal target of a floating panel: the modal around the anchor, to stay inside its focus trap, else the
 * body.
 */
export function floatRoot(anchor: HTMLElement | null): HTMLElement {
  return anchor?.closest<HTMLElement>('[data-modal-panel]') ?? document.body
}
