import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Zoom levels: 1 fits the available width, at most 820 px. */
export const ZOOM_LEVELS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const

export function getNextZoomLevel(zoom: number, by: 1 | -1): number {
  const at = ZOOM_LEVELS.findIndex((level) => level === zoom)
  return ZOOM_LEVELS[Math.min(ZOOM_LEVELS.length - 1, Math.max(0, at + by))] ?? 1
}

export function usePreserveScrollOnZoom(boxRef: RefObject<HTMLElement | null>, zoom: number): void {
  const previousZoom = useRef(zoom)
  useLayoutEffect(() => {
    const pages = boxRef.current
    if (!pages || previousZoom.current === zoom) return
    pages.scrollTop *= zoom / previousZoom.current
    pages.scrollLeft = (pages.scrollWidth - pages.clientWidth) / 2
    previousZoom.current = zoom
  }, [boxRef, zoom])
}
