/** Longest wait for an idle moment. */
const IDLE_MS = 5000

/** Runs once the browser has nothing more urgent to do, after the first drawing. The answer takes it back. */
export function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, 0)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(work, { timeout: IDLE_MS })
  return () => cancelIdleCallback(idle)
}
