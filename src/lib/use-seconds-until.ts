import { useEffect, useState } from 'react'

/** Counts down to `atMs`; returns 0 afterwards and without a time. */
export function useSecondsUntil(atMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const secondsLeft = atMs === undefined ? 0 : Math.max(0, Math.ceil((atMs - nowMs) / 1000))
  useEffect(() => {
    setNowMs(Date.now())
    if (atMs === undefined || atMs <= Date.now()) return
    const timer = setInterval(() => {
      setNowMs(Date.now())
      if (Date.now() >= atMs) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [atMs])
  return secondsLeft
}
