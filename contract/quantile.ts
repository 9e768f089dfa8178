/**
 * The value that such a share of all does not exceed, between the two nearest in proportion: `percentile_cont` of SQL, "type 7" elsewhere. `sorted` ascends;
 * `share` is 0 to 1 (0.5: the median). Undefined of nothing.
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number | undefined {
  if (sorted.length === 0) return undefined
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]!
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place))
}

/** The middle of numbers in any order. Undefined of nothing. */
export const medianOf = (numbers: readonly number[]): number | undefined =>
  quantileOf(
    numbers.toSorted((a, b) => a - b),
    0.5,
  )
