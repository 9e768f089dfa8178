import { isInPriceBand, REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import { type DiscountQuartiles, MIN_PROJECTS_TO_RANK_WINNERS, type WhoWins } from '#contract/market/who-wins.ts'
import { computeMedian, computeQuantileOfUnsortedValues } from '#contract/quantile.ts'
import { roundNullableShare } from '#server/market/company/company-scope.ts'

/**
 * Number of bins per unit of discount, so each bin spans two percentage points, from the reference price down to 30 %
 * below it. Prices above the reference price are in the first bin, all lower prices in the last.
 */
const STEPS_PER_UNIT = 50
const STEPS = 15

export const getReferencePriceBinStart = (bin: number): number | null => (bin === 0 ? null : (bin - 1) / STEPS_PER_UNIT)

/** Returns the bin of a price. Amounts are whole satang below 2^53, so quotients at the bin bounds are exact. */
export function getReferencePriceBin(base: number, value: number): number {
  const step = Math.floor(((base - value) * STEPS_PER_UNIT) / base)
  return step < 0 ? 0 : Math.min(STEPS, step) + 1
}

export function computeDiscountQuartiles(rates: Float64Array): DiscountQuartiles {
  const n = rates.length
  if (n < MIN_PROJECTS_TO_RANK_WINNERS) return { n, lower: null, median: null, upper: null }
  const values = rates.slice()
  const [lower, median, upper] = [0.25, 0.5, 0.75].map((quantile) =>
    roundNullableShare(computeQuantileOfUnsortedValues(values, quantile)!),
  )
  return { n, lower: lower!, median: median!, upper: upper! }
}

/**
 * Returns the median discount of a company; null for fewer than `MIN_PROJECTS_TO_RANK_WINNERS` discounts. Not rounded, because companies
 * are ranked by it.
 */
export function computeRankedMedianDiscount(rates: Float64Array): number | null {
  return rates.length < MIN_PROJECTS_TO_RANK_WINNERS ? null : computeMedian(rates)!
}

export function toDiscountBins(bins: Uint8Array): WhoWins['discount_bins'] {
  const counts = new Int32Array(STEPS + 2)
  for (const bin of bins) counts[bin] = counts[bin]! + 1
  return Array.from(counts, (count, bin) => ({ from: getReferencePriceBinStart(bin), count }))
}

export function computeDiscountsBySizeBand(rates: Float64Array, bases: Float64Array): WhoWins['bands'] {
  return REFERENCE_PRICE_BANDS.map((band) => ({
    from: band.from,
    to: band.to,
    ...computeDiscountQuartiles(rates.filter((_, at) => isInPriceBand(bases[at]!, band))),
  }))
}
