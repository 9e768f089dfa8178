import { isInSizeBand, SIZE_BANDS } from '#contract/company/discount.ts'
import { FEWEST_RANKED, type Quartiles, type WhoWins } from '#contract/report/who-wins.ts'
import { roundedShare } from '#server/features/company/company-scope.ts'

/** Steps of two points from the reference price down to 30 % below it; dearer than the reference price is the bin before them, everything further the one behind. */
const STEPS_A_UNIT = 50
const STEPS = 15

/** Where a bin begins; null: the first, of prices above the reference price. */
export const binFrom = (bin: number): number | null => (bin === 0 ? null : (bin - 1) / STEPS_A_UNIT)

/** Bin of a price. Amounts are whole satang below 2^53, so the quotient of a border is exact. */
export function binOf(base: number, value: number): number {
  const step = Math.floor(((base - value) * STEPS_A_UNIT) / base)
  return step < 0 ? 0 : Math.min(STEPS, step) + 1
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

/** `percentile_cont`; puts the values into another order. At least one is needed. */
function percentile(values: Float64Array, part: number): number {
  const at = (values.length - 1) * part
  const place = Math.floor(at)
  select(values, place)
  const low = values[place]!
  if (place === at) return low
  let high = Number.POSITIVE_INFINITY
  for (let behind = place + 1; behind < values.length; behind += 1) high = Math.min(high, values[behind]!)
  return low + (at - place) * (high - low)
}

/** Quartiles of discounts, in any order. */
export function quartilesOf(rates: Float64Array): Quartiles {
  const n = rates.length
  if (n < FEWEST_RANKED) return { n, lower: null, median: null, upper: null }
  const values = rates.slice()
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((part) => roundedShare(percentile(values, part)))
  return { n, lower: lower!, median: median!, upper: upper! }
}

/** Middle discount of one company; null of fewer than `FEWEST_RANKED`. Not rounded: companies are ranked by it. */
export function medianOf(rates: Float64Array): number | null {
  return rates.length < FEWEST_RANKED ? null : percentile(rates.slice(), 0.5)
}

/** The histogram: how many prices stand in each bin, empty ones too. */
export function binsOf(bins: Uint8Array): WhoWins['discount_bins'] {
  const counts = new Int32Array(STEPS + 2)
  for (const bin of bins) counts[bin] = counts[bin]! + 1
  return Array.from(counts, (count, bin) => ({ from: binFrom(bin), count }))
}

/** Quartiles by the reference price. */
export function bandsOf(rates: Float64Array, bases: Float64Array): WhoWins['bands'] {
  return SIZE_BANDS.map((band) => ({
    from: band.from,
    to: band.to,
    ...quartilesOf(rates.filter((_, at) => isInSizeBand(bases[at]!, band))),
  }))
}
