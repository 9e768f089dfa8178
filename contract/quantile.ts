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

/** Puts the value of this place into it, smaller ones before and larger ones behind it: four times as quick as putting 290,000 into order. */
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

/** `quantileOf` of numbers in any order, none of them NaN. Leaves them in another order, so that the next share of the same numbers is found sooner. Undefined of nothing. */
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

/** The middle of numbers in any order, which they keep. Undefined of nothing. */
export const medianOf = (numbers: ArrayLike<number>): number | undefined =>
  quantileAmong(Float64Array.from(numbers), 0.5)
