import {
  defaultRangeExtractor,
  measureElement,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { MeasureRow, RowWindow } from './use-row-window.tsx'

/** Rows drawn ahead on each side. With six the longest frame of 1,000 rows scrolled was 67 ms, with three 50. */
const OVERSCAN = 3

type VirtualRowsProps = {
  region: RefObject<HTMLElement | null>
  /** Projects of the page, in order. */
  ids: readonly string[]
  /** Place of the row that Tab comes to. */
  stop: number
  /** Height of a row before it is measured, px. */
  estimate: number
  /** Given what is to be told of each row that is drawn. */
  measurer: RefObject<MeasureRow | undefined>
  /** Given the rows to draw, before the screen shows others. */
  onWindow: (window: RowWindow) => void
}

/**
 * Follows the scrolling of the table and says which rows to draw. Draws nothing itself: the rows that stand there when it
 * arrives stay the same elements, with their focus and with what is open in them.
 */
export function VirtualRows({ region, ids, stop, estimate, measurer, onWindow }: VirtualRowsProps) {
  const [known] = useState(() => knownSizes(region.current, ids))
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => region.current,
    estimateSize: () => estimate,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
    overscan: OVERSCAN,
    measureElement: measureLater,
    // The row that has the focus or gets it by Tab stays drawn however far one scrolls, or the focus would be lost.
    rangeExtractor: useCallback((range: Range) => withStop(range, stop), [stop]),
    // It takes over where the user is by now, with the heights of the rows that are drawn: to put a guess right, it scrolls.
    initialOffset: () => region.current?.scrollTop ?? 0,
    initialRect: { width: region.current?.clientWidth ?? 0, height: region.current?.clientHeight ?? 0 },
    initialMeasurementsCache: known,
  })
  const items = virtualizer.getVirtualItems()
  const height = virtualizer.getTotalSize()

  useLayoutEffect(() => {
    measurer.current = virtualizer.measureElement
    for (const row of drawnRows(region.current)) virtualizer.measureElement(row)
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
    // There are none while the region has no height; what was drawn stays.
    if (items.length > 0) onWindow({ placed: items.map(placedRow), height })
  }, [items, height, onWindow])
  return null
}

/**
 * The height that the observer of sizes tells, in the frame in which the row is laid out. Until then the one that is known: to ask a new row for its height would
 * lay out the table once more, in the middle of the drawing.
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

const drawnRows = (region: HTMLElement | null) => region?.querySelectorAll<HTMLTableRowElement>('tr[data-index]') ?? []

function knownSizes(region: HTMLElement | null, ids: readonly string[]): VirtualItem[] {
  return [...drawnRows(region)].map((row) => {
    const index = Number(row.dataset.index)
    // Only key and size are read from these.
    return { key: ids[index] ?? index, index, size: row.offsetHeight, start: 0, end: 0, lane: 0 }
  })
}

function withStop(range: Range, stop: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (stop >= range.count || indexes.includes(stop)) return indexes
  return [...indexes, stop].sort((a, b) => a - b)
}
