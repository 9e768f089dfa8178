import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export const STEP = 20

type Steps<T> = {
  readonly shown: readonly T[]
  /** Number of rows that the next click adds; 0 if all are shown. */
  readonly next: number
  readonly more: () => void
}

/** Renders the first rows of a list and more per click, since a page of fifty is ten screens long. Prints all rows. */
export function useSteps<T>(rows: readonly T[]): Steps<T> {
  const [drawn, setDrawn] = useState(STEP)
  const [of, setOf] = useState(rows)
  // New rows reset the list to its start.
  if (of !== rows) {
    setOf(rows)
    setDrawn(STEP)
  }
  useEffect(() => {
    const drawAll = () => flushSync(() => setDrawn(Number.POSITIVE_INFINITY))
    window.addEventListener('beforeprint', drawAll)
    return () => window.removeEventListener('beforeprint', drawAll)
  }, [])
  return {
    shown: rows.slice(0, drawn),
    next: Math.max(0, Math.min(STEP, rows.length - drawn)),
    more: () => setDrawn(drawn + STEP),
  }
}
