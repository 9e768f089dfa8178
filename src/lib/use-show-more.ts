import { useState } from 'react'
import { usePrinting } from './use-printing.ts'

export const SHOW_MORE_ROW_COUNT = 20

type Steps<T> = {
  readonly visibleRows: readonly T[]
  readonly nextCount: number
  readonly showMore: () => void
}

/**
 * Renders the first rows of a list and more per click, because a page of fifty rows is ten screens long. Printing shows
 * all rows.
 */
export function useShowMore<T>(rows: readonly T[], firstCount = SHOW_MORE_ROW_COUNT): Steps<T> {
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
