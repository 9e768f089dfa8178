/** Maximum delay of secondary queries, ms; on a slow connection they do not wait for the rows. */
const LONGEST_WAIT_MS = 100

let rowsShown: Promise<unknown> | undefined

/** Registers a report request in progress. Returns the same promise. */
export function rowsOnTheirWay<T>(rows: Promise<T>): Promise<T> {
  const shown = rows.then(nextFrame, nextFrame)
  rowsShown = shown
  void shown.then(() => {
    if (rowsShown === shown) rowsShown = undefined
  })
  return rows
}

/**
 * Resolves when the requested rows are painted, at the latest after `LONGEST_WAIT_MS`; at once without a pending
 * request. Used by secondary queries: the server computes one request at a time, and their responses would be rendered
 * before the rows.
 */
export async function afterRows(): Promise<void> {
  if (!rowsShown) return
  await Promise.race([rowsShown, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}

/** Resolves after the next paint. Background pages render no frames. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame !== 'function' || document.visibilityState === 'hidden') return resolve()
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
