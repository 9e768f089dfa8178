const IDLE_MS = 5000

export function runWhenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 0)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: IDLE_MS })
  return () => cancelIdleCallback(idle)
}
