import { type RefObject, useLayoutEffect, useState } from 'react'

export type AnchoredPosition = {
  top: number
  left: number | undefined
  right: number | undefined
  minWidth: number
  maxHeight: number
}
type Box = { top: number; bottom: number; left: number; right: number; width: number }
type Size = { width: number; height: number }

/** Default gap between anchor and panel (GAP) and minimum distance from panel to window edge (EDGE), in CSS pixels. */
const GAP = 4
const MIN_EDGE_DISTANCE = 8
const MIN_SPACE_BELOW = 200

/**
 * True if the anchor's centre is in the right half of the window, where panels are right-aligned (specification section
 * 9).
 */
export const isAnchorInRightHalf = ({ left, right }: Pick<Box, 'left' | 'right'>, windowWidth: number): boolean =>
  (left + right) / 2 > windowWidth / 2

/**
 * Returns the position of a panel below its anchor, in viewport CSS pixels (specification section 9): left-aligned, or
 * right-aligned if the anchor is in the right half; at least as wide as the anchor and always inside the window.
 */
export function computePositionBelowAnchor(anchor: Box, viewport: Size, panel: Size, gap = GAP): AnchoredPosition {
  const inRightHalf = isAnchorInRightHalf(anchor, viewport.width)
  const below = viewport.height - anchor.bottom - gap - MIN_EDGE_DISTANCE
  const above = anchor.top - gap - MIN_EDGE_DISTANCE
  const upwards = below < Math.min(panel.height, MIN_SPACE_BELOW) && above > below
  const maxHeight = Math.max(upwards ? above : below, 120)
  const maxInset = Math.max(viewport.width - panel.width - MIN_EDGE_DISTANCE, MIN_EDGE_DISTANCE)
  const inset = (preferred: number) => Math.min(Math.max(preferred, MIN_EDGE_DISTANCE), maxInset)
  return {
    top: upwards ? anchor.top - gap - Math.min(panel.height, maxHeight) : anchor.bottom + gap,
    left: inRightHalf ? undefined : inset(anchor.left),
    right: inRightHalf ? inset(viewport.width - anchor.right) : undefined,
    minWidth: anchor.width,
    maxHeight,
  }
}

export function useAnchoredPosition(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
  gap?: number,
): AnchoredPosition | undefined {
  const [position, setPosition] = useState<AnchoredPosition>()
  useLayoutEffect(() => {
    if (!open) return
    const update = () => {
      if (!anchor.current) return
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const size = { width: panel.current?.offsetWidth ?? 0, height: panel.current?.scrollHeight ?? 0 }
      setPosition(computePositionBelowAnchor(anchor.current.getBoundingClientRect(), viewport, size, gap))
    }
    update()
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
  return open ? position : undefined
}

/**
 * Returns the portal target of a floating panel: the modal around the anchor, so that the panel stays inside its focus
 * trap, else the body.
 */
export function findPortalRoot(anchor: HTMLElement | null): HTMLElement {
  return anchor?.closest<HTMLElement>('[data-modal-panel]') ?? document.body
}
