const IDLE_MS = 5000

/** Runs `work` when the browser is idle. Returns the cancel function. */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 0)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: IDLE_MS })
  return () => cancelIdleCallback(idle)
}
