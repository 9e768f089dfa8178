import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

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
export function useShowMore<T>(rows: readonly T[]): Steps<T> {
  const [visibleCount, setDrawn] = useState(SHOW_MORE_ROW_COUNT)
  const [listedRows, setOf] = useState(rows)
  if (listedRows !== rows) {
    setOf(rows)
    setDrawn(SHOW_MORE_ROW_COUNT)
  }
  useEffect(() => {
    const showAll = () => flushSync(() => setDrawn(Number.POSITIVE_INFINITY))
    window.addEventListener('beforeprint', showAll)
    return () => window.removeEventListener('beforeprint', showAll)
  }, [])
  return {
    visibleRows: rows.slice(0, visibleCount),
    nextCount: Math.max(0, Math.min(SHOW_MORE_ROW_COUNT, rows.length - visibleCount)),
    showMore: () => setDrawn(visibleCount + SHOW_MORE_ROW_COUNT),
  }
}
