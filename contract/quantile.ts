/**
 * Returns the quantile `fraction` (0 to 1; 0.5 is the median) of ascending values, interpolated linearly like SQL's
 * `percentile_cont` ("type 7"). Undefined for an empty list.
 */
export function computeQuantile(sorted: ArrayLike<number>, fraction: number): number | undefined {
  if (sorted.length === 0) return undefined
  const position = (sorted.length - 1) * fraction
  const below = sorted[Math.floor(position)]!
  return below + (sorted[Math.ceil(position)]! - below) * (position - Math.floor(position))
}

/**
 * Quickselect: moves the value of rank `rank` to that index, with smaller values before it and larger ones after it.
 * Four times faster than sorting 290,000 values.
 */
function select(values: Float64Array, rank: number): void {
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
    if (rank <= right) high = right
    else if (rank >= left) low = left
    else return
  }
}

/**
 * Like `computeQuantile`, but for unsorted values without NaN. Reorders `values`, which makes computing further quantiles
 * faster. Undefined for an empty list.
 */
export function computeQuantileOfUnsortedValues(values: Float64Array, fraction: number): number | undefined {
  if (values.length === 0) return undefined
  const position = (values.length - 1) * fraction
  const rank = Math.floor(position)
  select(values, rank)
  const low = values[rank]!
  if (rank === position) return low
  let high = Number.POSITIVE_INFINITY
  for (let index = rank + 1; index < values.length; index += 1) high = Math.min(high, values[index]!)
  return low + (high - low) * (position - rank)
}

export const computeMedian = (numbers: ArrayLike<number>): number | undefined =>
  computeQuantileOfUnsortedValues(Float64Array.from(numbers), 0.5)
