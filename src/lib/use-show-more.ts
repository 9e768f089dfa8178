import { useState } from 'react'
import { usePrinting } from './use-printing.ts'

const SHOW_MORE_ROW_COUNT = 20

/** Shows more rows per click, because a page of fifty is ten screens long. Printing shows all rows. */
export function useShowMore<T>(rows: readonly T[], firstCount = SHOW_MORE_ROW_COUNT) {
  const [visibleCount, setDrawn] = useState(firstCount)
  const [listedRows, setOf] = useState(rows)
  if (listedRows !== rows) {
    setOf(rows)
    setDrawn(firstCount)
  }
  const isPrinting = usePrinting()
  return {
    visibleRows: isPrinting ? rows : rows.slice(0, visibleCount),
    nextCount: Math.max(0, Math.min(SHOW_MORE_ROW_COUNT, rows.length - visibleCount)),
    showMore: () => setDrawn(visibleCount + SHOW_MORE_ROW_COUNT),
  }
}
