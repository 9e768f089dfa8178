import { type RefObject, useLayoutEffect, useState } from 'react'

export type AnchoredPlace = {
  top: number
  left: number | undefined
  right: number | undefined
  minWidth: number
  maxHeight: number
}
type Box = { top: number; bottom: number; left: number; right: number; width: number }

const GAP = 4
const EDGE = 8

/**
 * Place of a panel under its anchor, in CSS pixels of the viewport (specification section 9): left-aligned, right-aligned
 * when the anchor lies in the right half of the window, at least as wide as the anchor. It opens upwards when there is
 * less than 200 px below and more above.
 */
export function placeUnder(
  anchor: Box,
  viewport: { width: number; height: number },
  panelHeight: number,
): AnchoredPlace {
  const inRightHalf = (anchor.left + anchor.right) / 2 > viewport.width / 2
  const below = viewport.height - anchor.bottom - GAP - EDGE
  const above = anchor.top - GAP - EDGE
  const upwards = below < Math.min(panelHeight, 200) && above > below
  const maxHeight = Math.max(upwards ? above : below, 120)
  return {
    top: upwards ? anchor.top - GAP - Math.min(panelHeight, maxHeight) : anchor.bottom + GAP,
    left: inRightHalf ? undefined : Math.max(anchor.left, EDGE),
    right: inRightHalf ? Math.max(viewport.width - anchor.right, EDGE) : undefined,
    minWidth: anchor.width,
    maxHeight,
  }
}

/** Keeps a panel at its anchor while the window scrolls or changes size. */
export function useAnchoredPlace(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
): AnchoredPlace | undefined {
  const [place, setPlace] = useState<AnchoredPlace>()
  useLayoutEffect(() => {
    if (!open) return
    const update = () => {
      if (!anchor.current) return
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight }
      setPlace(placeUnder(anchor.current.getBoundingClientRect(), viewport, panel.current?.scrollHeight ?? 0))
    }
    update()
    // Lazy content changes the height of the panel after it opened.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(update)
    if (panel.current) observer?.observe(panel.current)
    window.addEventListener('resize', update)
    window.addEventListener('scroll', update, { capture: true, passive: true })
    return () => {
      observer?.disconnect()
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', update, { capture: true })
    }
  }, [open, anchor, panel])
  return open ? place : undefined
}
