import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { RenderedRowWindow, RowMeasurer } from './use-rendered-row-window.tsx'

/**
 * Rows rendered beyond the visible ones. Longest frame while scrolling 1,000 rows: 67 ms with six, 50 ms with three.
 */
const OVERSCAN = 3

type VirtualRowsProps = {
  region: RefObject<HTMLElement | null>
  ids: readonly string[]
  stop: number
  estimate: number
  measurer: RefObject<RowMeasurer | undefined>
  onWindow: (window: RenderedRowWindow) => void
}

/**
 * Tracks scrolling and reports which rows to render. Renders nothing itself, so existing rows retain their DOM
 * elements, focus and open popovers when it mounts.
 */
export function VirtualRows({ region, ids, stop, estimate, measurer, onWindow }: VirtualRowsProps) {
  const [initialMeasurements] = useState(() => measureRenderedRows(region.current, ids))
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => region.current,
    estimateSize: () => estimate,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: OVERSCAN,
    measureElement: measureLater,
    // The row in the tab order remains rendered when scrolled out of view; otherwise the focus would be lost.
    rangeExtractor: useCallback((range: Range) => withStop(range, stop), [stop]),
    // Start from the current scroll offset and the heights already measured, because correcting an estimate would
    // scroll.
    initialOffset: () => region.current?.scrollTop ?? 0,
    initialRect: { width: region.current?.clientWidth ?? 0, height: region.current?.clientHeight ?? 0 },
    initialMeasurementsCache: initialMeasurements,
  })
  const items = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()

  useLayoutEffect(() => {
    measurer.current = virtualizer.measureElement
    for (const row of renderedRows(region.current)) virtualizer.measureElement(row)
    return () => {
      measurer.current = undefined
    }
  }, [virtualizer, measurer, region])
  const lastEstimate = useRef(estimate)
  useLayoutEffect(() => {
    if (lastEstimate.current === estimate) return
    lastEstimate.current = estimate
    virtualizer.measure()
  }, [estimate, virtualizer])
  useLayoutEffect(() => {
    // The virtualizer returns no rows while the region has no height, so keep the rows rendered before.
    if (items.length > 0) onWindow({ placed: items.map(placedRow), height })
  }, [items, height, onWindow])
  return null
}

/**
 * Returns the size from the ResizeObserver, or the cached one until it reports: measuring a new row synchronously would
 * force another layout during render.
 */
function measureLater(
  row: HTMLTableRowElement,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<HTMLElement, HTMLTableRowElement>,
): number {
  if (entry) return measureElement(row, entry, virtualizer)
  const index = virtualizer.indexFromElement(row)
  return virtualizer.itemSizeCache.get(virtualizer.options.getItemKey(index)) ?? virtualizer.options.estimateSize(index)
}

const placedRow = ({ index, start, end }: VirtualItem) => ({ index, start, end })

const renderedRows = (region: HTMLElement | null) =>
  region?.querySelectorAll<HTMLTableRowElement>('tr[data-index]') ?? []

function measureRenderedRows(region: HTMLElement | null, ids: readonly string[]): VirtualItem[] {
  return [...renderedRows(region)].map((row) => {
    const index = Number(row.dataset.index)
    return { key: ids[index] ?? index, index, size: row.offsetHeight, start: 0, end: 0, lane: 0 }
  })
}

function withStop(range: Range, stop: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (stop >= range.count || indexes.includes(stop)) return indexes
  return [...indexes, stop].sort((a, b) => a - b)
}
