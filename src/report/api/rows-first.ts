/** Longest that a question waits for rows on their way, ms: on a slow line it leaves without them. */
const LONGEST_WAIT_MS = 100

let rowsShown: Promise<unknown> | undefined

/** Notes that the rows of the report are on their way. Gives the answer on. */
export function rowsOnTheirWay<T>(rows: Promise<T>): Promise<T> {
  const shown = rows.then(nextFrame, nextFrame)
  rowsShown = shown
  void shown.then(() => {
    if (rowsShown === shown) rowsShown = undefined
  })
  return rows
}

/**
 * Resolves when the rows that were asked for are on the screen, or `LONGEST_WAIT_MS` later; at once when there are none on their way. What stands
 * beside the rows asks after them: the server computes for one at a time, and their answers would be drawn before the rows.
 */
export async function afterRows(): Promise<void> {
  if (!rowsShown) return
  await Promise.race([rowsShown, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
}

/** After the drawing of what has just come. A page in the background draws no frames. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame !== 'function' || document.visibilityState === 'hidden') return resolve()
    requestAnimationFrame(() => setTimeout(resolve))
  })
}
