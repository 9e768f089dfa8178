const MAX_WAIT_MS = 100

let pendingPaint: Promise<unknown> | undefined

export function trackRowsRequest<T>(rows: Promise<T>): Promise<T> {
  const painted = rows.then(nextFrame, nextFrame)
  pendingPaint = painted
  void painted.then(() => {
    if (pendingPaint === painted) pendingPaint = undefined
  })
  return rows
}

/**
 * Resolves when the requested rows are painted, at the latest after `MAX_WAIT_MS`; at once without a pending
 * request. Used by secondary queries: the server computes one request at a time, and their responses would be rendered
 * before the rows.
 */
export async function waitForRows(): Promise<void> {
  if (!pendingPaint) return
  await Promise.race([pendingPaint, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
}

/** Resolves after the next paint, or at once on a hidden page, which renders no frames. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame !== 'function' || document.visibilityState === 'hidden') return resolve()
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
