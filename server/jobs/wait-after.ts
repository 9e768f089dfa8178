/** Waits differ by a fifth up or down, so that what failed together does not come back together (R52). */
const JITTER = 0.2

/** Milliseconds until the next try after this many: doubles with each, up to the longest. */
export function waitAfter(
  attempts: number,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
  random: () => number = Math.random,
): number {
  const wait = Math.min(longestMs, firstMs * 2 ** (attempts - 1))
  return Math.round(wait * (1 - JITTER + 2 * JITTER * random()))
}
