import { type ComparablePriceScope, MIN_SIMILAR_PROJECTS, type PriceBand } from '#contract/catalogue/similar-prices.ts'

/**
 * Shares of discounts below and above the band, calibrated on the development half of `bench/price-band.ts` so that 80 %
 * of later awards are inside. Discounts pile up near zero and have a long upper tail, so a smaller lower tail makes the
 * band 3 points narrower than the 10th to 90th percentile, which contains 83 %.
 */
const LOWER_TAIL = 0.03
const UPPER_TAIL = 0.15
/** Work of any agency, of other sizes or older years predicts less well, so these bands exclude fewer prices. */
const WIDENED_UPPER_TAIL = 0.12
const WIDENED_SCOPES: readonly ComparablePriceScope[] = ['all', 'years', 'sizes']
/** Discounts of the agency's other work vary more: its median band is 12 points wide, that of similar work one point. */
const OTHER_WORK_UPPER_TAIL = 0.2

/** Returns the order statistic at rank (n + 1)·`fraction` of ascending values, interpolated; the ends clamp. */
export function computeOrderStatistic(sorted: readonly number[], fraction: number): number {
  const rank = Math.min(sorted.length, Math.max(1, (sorted.length + 1) * fraction))
  const below = sorted[Math.floor(rank) - 1]!
  return below + (sorted[Math.ceil(rank) - 1]! - below) * (rank % 1)
}

function getUpperTail(step: ComparablePriceScope | undefined): number {
  if (step === undefined) return OTHER_WORK_UPPER_TAIL
  return WIDENED_SCOPES.includes(step) ? WIDENED_UPPER_TAIL : UPPER_TAIL
}

/**
 * Returns the band of the discounts of `step`, or undefined below `MIN_SIMILAR_PROJECTS`. Without a step they are those
 * of the agency's other work.
 */
export function computePriceBand(
  discounts: readonly number[],
  step: ComparablePriceScope | undefined,
): Omit<PriceBand, 'basis'> | undefined {
  if (discounts.length < MIN_SIMILAR_PROJECTS) return undefined
  const sorted = discounts.toSorted((a, b) => a - b)
  const upperTail = getUpperTail(step)
  // A millionth of slack, because 0.1 may compute as 0.0999….
  return {
    low: Math.floor(computeOrderStatistic(sorted, LOWER_TAIL) * 1000 + 1e-6) / 1000,
    high: Math.ceil(computeOrderStatistic(sorted, 1 - upperTail) * 1000 - 1e-6) / 1000,
    n: sorted.length,
  }
}
