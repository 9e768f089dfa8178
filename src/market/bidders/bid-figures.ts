import { isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import { getCurrentProcurementRule } from '#contract/catalogue/procurement-rules.ts'
import type { Bidder, ProjectDetail } from '#contract/report/project-detail.ts'

/** Amount that bids are compared with: the reference price, otherwise the budget. The UI states which and why (D20). */
export type BidComparisonBase = {
  readonly baht: number
  readonly against: 'reference' | 'budget' | 'budget_for_doubtful_reference'
}

export function getBidComparisonBase(
  row: Pick<ProjectDetail['row'], 'estimate_budget' | 'budget' | 'doubts'>,
): BidComparisonBase | undefined {
  const baht = row.estimate_budget ?? row.budget
  if (baht === null || baht <= 0) return undefined
  if (row.estimate_budget !== null) return { baht, against: 'reference' }
  return { baht, against: isEstimateInDoubt(row) ? 'budget_for_doubtful_reference' : 'budget' }
}

export function computePriceRanks(bidders: readonly Bidder[]): (number | undefined)[] {
  const prices = bidders.flatMap(({ price }) => (price === null ? [] : [price]))
  return bidders.map(({ price }) =>
    price === null ? undefined : prices.filter((otherPrice) => otherPrice < price).length + 1,
  )
}

/** The law prefers an SME whose bid is at most this much above the lowest one (N5). */
const SME_BAND = getCurrentProcurementRule('priceAdvantagePercent').value.sme / 100

export type BidChart = {
  readonly lowest: number
  readonly smeLine: number | undefined
  readonly base: BidComparisonBase | undefined
  readonly from: number
  readonly to: number
}

export function buildBidChart(bidders: readonly Bidder[], base: BidComparisonBase | undefined): BidChart | undefined {
  const prices = bidders.flatMap(({ price }) => (price === null ? [] : [price]))
  if (prices.length === 0 || (prices.length === 1 && !base)) return undefined
  const lowest = Math.min(...prices)
  const smeLine = prices.length > 1 ? lowest * (1 + SME_BAND) : undefined
  const marks = [...prices, ...(base ? [base.baht] : []), ...(smeLine === undefined ? [] : [smeLine])]
  const [min, max] = [Math.min(...marks), Math.max(...marks)]
  const air = (max - min || max || 1) * 0.06
  return { lowest, smeLine, base, from: min - air, to: max + air }
}

export function toBidChartAxisPercent({ from, to }: BidChart, baht: number): number {
  return ((baht - from) / (to - from)) * 100
}

export function isBidInSmePreferenceBand({ lowest, smeLine }: BidChart, { price, is_sme }: Bidder): boolean {
  return is_sme === true && price !== null && smeLine !== undefined && price > lowest && price <= smeLine
}
