import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export const STEP_SIZE = 20

type Steps<T> = {
  readonly visibleRows: readonly T[]
  readonly nextCount: number
  readonly showMore: () => void
}

/**
 * Renders the first rows of a list, and more per click, because a page of fifty is ten screens long. Printing shows all
 * rows.
 */
export function useSteps<T>(rows: readonly T[]): Steps<T> {
  const [visibleCount, setDrawn] = useState(STEP_SIZE)
  const [listedRows, setOf] = useState(rows)
  if (listedRows !== rows) {
    setOf(rows)
    setDrawn(STEP_SIZE)
  }
  useEffect(() => {
    const showAll = () => flushSync(() => setDrawn(Number.POSITIVE_INFINITY))
    window.addEventListener('beforeprint', showAll)
    return () => window.removeEventListener('beforeprint', showAll)
  }, [])
  return {
    visibleRows: rows.slice(0, visibleCount),
    nextCount: Math.max(0, Math.min(STEP_SIZE, rows.length - visibleCount)),
    showMore: () => setDrawn(visibleCount + STEP_SIZE),
  }
}
