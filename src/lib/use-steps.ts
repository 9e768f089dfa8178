import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Rows that are drawn at once, and more at each press. */
export const STEP = 20

type Steps<T> = {
  readonly shown: readonly T[]
  /** How many the next press brings; 0 when all are drawn. */
  readonly next: number
  readonly more: () => void
}

/** The first of many rows, and more at a press: a page of fifty is as long as ten screens. Paper gets all of them. */
export function useSteps<T>(rows: readonly T[]): Steps<T> {
  const [drawn, setDrawn] = useState(STEP)
  const [of, setOf] = useState(rows)
  // Other rows begin at their first ones again.
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
