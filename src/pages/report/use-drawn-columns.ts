import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ColumnLayout } from '#contract/column.ts'
import type { ReportColumnField } from '#contract/report-columns.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { columnSizes, drawnColumns, onPaper, stuckCount, type TriedWidth } from './column-layout.ts'

/** Width of the checkbox and the star, px: 44 for each under a finger. */
const LEAD_WIDTH = { mouse: 72, finger: 104 } as const

type DrawnColumnsOptions = {
  layout: ColumnLayout
  nameWidth: number
  /** Keeps a width; settled once that is done or refused. */
  onResize: (field: ReportColumnField, width: number | undefined) => Promise<unknown>
}

/** Which columns are drawn and how wide, also while the handle of one is held; on paper as many as fit. */
export function useDrawnColumns(
  { layout, nameWidth, onResize }: DrawnColumnsOptions,
  region: RefObject<HTMLElement | null>,
  isPrinting: boolean,
) {
  const [tried, setTried] = useState<TriedWidth>()
  const hasFinger = useMediaQuery('(pointer: coarse)')
  // On paper there is nothing to press.
  const lead = isPrinting ? 0 : hasFinger ? LEAD_WIDTH.finger : LEAD_WIDTH.mouse
  const regionWidth = useWidth(region)
  const sizes = useMemo(() => columnSizes(layout, { lead, nameWidth, tried }), [layout, lead, nameWidth, tried])
  const stuck = stuckCount(layout, sizes, regionWidth)
  const onScreen = useMemo(() => drawnColumns(layout, stuck), [layout, stuck])
  const drawn = useMemo(() => (isPrinting ? onPaper(onScreen, sizes) : onScreen), [isPrinting, onScreen, sizes])
  const keep = useRef(onResize)
  useLayoutEffect(() => {
    keep.current = onResize
  })
  const resize = useCallback(async (field: ReportColumnField, width: number | undefined) => {
    const shown = width === undefined ? undefined : { field, width }
    setTried(shown)
    await keep.current(field, width)
    // From here on the layout says it, or says that it was refused; unless another handle is held by now.
    setTried((now) => (now === shown ? undefined : now))
  }, [])
  return { drawn, sizes, tryWidth: setTried, resize }
}

/** Width of an element as it changes, px; 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
