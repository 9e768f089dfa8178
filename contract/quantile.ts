/**
 * Returns the quantile `share` (0 to 1; 0.5 is the median) of ascending values, interpolated linearly:
 * `percentile_cont` of SQL, "type 7" elsewhere. Undefined for an empty list.
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number | undefined {
  if (sorted.length === 0) return undefined
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]!
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place))
}

/**
 * Quickselect: moves the value of rank `place` to that index, smaller ones before and larger ones after it. Four times
 * faster than sorting 290,000 values.
 */
function select(values: Float64Array, place: number): void {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1]!
    let [left, right] = [low, high]
    while (left <= right) {
      while (values[left]! < pivot) left += 1
      while (values[right]! > pivot) right -= 1
      if (left > right) break
      const value = values[left]!
      values[left] = values[right]!
      values[right] = value
      left += 1
      right -= 1
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else return
  }
}

/**
 * Like `quantileOf` for unsorted values without NaN. Reorders `values`, which makes further quantiles faster. Undefined
 * for an empty list.
 */
export function quantileAmong(values: Float64Array, share: number): number | undefined {
  if (values.length === 0) return undefined
  const at = (values.length - 1) * share
  const place = Math.floor(at)
  select(values, place)
  const low = values[place]!
  if (place === at) return low
  let high = Number.POSITIVE_INFINITY
  for (let behind = place + 1; behind < values.length; behind += 1) high = Math.min(high, values[behind]!)
  return low + (high - low) * (at - place)
}

/** Returns the median without reordering the input; undefined for an empty list. */
export const medianOf = (numbers: ArrayLike<number>): number | undefined =>
  quantileAmong(Float64Array.from(numbers), 0.5)
