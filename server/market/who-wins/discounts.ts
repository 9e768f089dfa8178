import { isInSizeBand, SIZE_BANDS } from '#contract/catalogue/discount.ts'
import { FEWEST_RANKED, type Quartiles, type WhoWins } from '#contract/market/who-wins.ts'
import { medianOf, quantileAmong } from '#contract/quantile.ts'
import { roundedShare } from '#server/market/company/company-scope.ts'

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

/** Quartiles of discounts, in any order. */
export function quartilesOf(rates: Float64Array): Quartiles {
  const n = rates.length
  if (n < FEWEST_RANKED) return { n, lower: null, median: null, upper: null }
  const values = rates.slice()
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((part) => roundedShare(quantileAmong(values, part)!))
  return { n, lower: lower!, median: median!, upper: upper! }
}

/** Middle discount of one company; null of fewer than `FEWEST_RANKED`. Not rounded: companies are ranked by it. */
export function rankedMedianOf(rates: Float64Array): number | null {
  return rates.length < FEWEST_RANKED ? null : medianOf(rates)!
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
