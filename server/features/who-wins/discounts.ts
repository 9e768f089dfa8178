import { FEWEST_RANKED, type Quartiles, type WhoWins } from '#contract/report/who-wins.ts'
import { roundedShare } from '#server/features/company/company-scope.ts'
import { SIZE_BANDS } from '#server/features/company/figure-rows.ts'

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

/** Whether a reference price, satang, is in a band of `SIZE_BANDS`. */
export const isInBand = (base: number, { from, to }: (typeof SIZE_BANDS)[number]): boolean =>
  (from === null || base >= from * 100) && (to === null || base < to * 100)

/** `percentile_cont` of ascending values. */
function percentile(sorted: Float64Array, part: number): number {
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (at - Math.floor(at)) * (high - low)
}

/** Quartiles of discounts, in any order. */
export function quartilesOf(rates: Float64Array): Quartiles {
  const n = rates.length
  if (n < FEWEST_RANKED) return { n, lower: null, median: null, upper: null }
  const sorted = rates.slice().sort()
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((part) => roundedShare(percentile(sorted, part)))
  return { n, lower: lower!, median: median!, upper: upper! }
}

/** Middle discount of one company; null of fewer than `FEWEST_RANKED`. Not rounded: companies are ranked by it. */
export function medianOf(rates: Float64Array): number | null {
  return rates.length < FEWEST_RANKED ? null : percentile(rates.slice().sort(), 0.5)
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
    ...quartilesOf(rates.filter((_, at) => isInBand(bases[at]!, band))),
  }))
}
