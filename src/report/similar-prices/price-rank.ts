import type { SimilarProject } from '#contract/catalogue/similar-prices.ts'
import { formatCount } from '#contract/thai/thai-number.ts'

/** A price as an exact fraction of the reference price, which can be applied to other projects. */
export type PriceRatio = { readonly numerator: bigint; readonly denominator: bigint }

const satang = (baht: number) => BigInt(Math.round(baht * 100))

export const priceToPriceRatio = (baht: number, reference: number): PriceRatio => ({
  numerator: satang(baht),
  denominator: satang(reference),
})
export const discountToPriceRatio = (discount: number): PriceRatio => ({
  numerator: 1_000_000n - BigInt(Math.round(discount * 1_000_000)),
  denominator: 1_000_000n,
})

export type TargetPriceComparison = {
  /** Projects with only a known winner: in how many this price is `below`, `equal` to or `above` the winner's. */
  readonly winners: { readonly n: number; readonly below: number; readonly equal: number; readonly above: number }
  /**
   * Projects with all bids known, none of them counted in `winners`: in how many this price is the lowest, and the
   * number of cheaper, equal and dearer bids.
   */
  readonly bids: {
    readonly n: number
    readonly lowest: number
    readonly prices: number
    readonly cheaper: number
    readonly equal: number
    readonly dearer: number
  }
}

type ComparedProject = Pick<SimilarProject, 'estimate_budget' | 'winner_budget' | 'bids'>

/** Compares the same fraction of each project's reference price with the bids for that project, exact to the satang. */
export function computeTargetPriceComparison(
  { numerator, denominator }: PriceRatio,
  projects: readonly ComparedProject[],
): TargetPriceComparison {
  const winners = { n: 0, below: 0, equal: 0, above: 0 }
  const bids = { n: 0, lowest: 0, prices: 0, cheaper: 0, equal: 0, dearer: 0 }
  for (const project of projects) {
    const scaledPrice = numerator * satang(project.estimate_budget)
    const scaleOffer = (baht: number) => satang(baht) * denominator
    if (project.bids.length === 0) {
      const winner = scaleOffer(project.winner_budget)
      winners.n += 1
      winners[scaledPrice < winner ? 'below' : scaledPrice === winner ? 'equal' : 'above'] += 1
      continue
    }
    bids.n += 1
    bids.prices += project.bids.length
    if (project.bids.every((bid) => scaledPrice < scaleOffer(bid))) bids.lowest += 1
    for (const bid of project.bids) {
      const price = scaleOffer(bid)
      bids[price < scaledPrice ? 'cheaper' : price === scaledPrice ? 'equal' : 'dearer'] += 1
    }
  }
  return { winners, bids }
}

/** Computed from the projects whose losing bids are unknown; undefined if there are none. */
export function formatWinnerComparison({ winners: { n, below, equal } }: TargetPriceComparison): string | undefined {
  if (n === 0) return undefined
  const equalText = equal === 0 ? '' : ` เท่ากับผู้ชนะ ${formatCount(equal)} งาน`
  return `ในงานที่คล้ายกัน ${formatCount(n)} งาน ราคานี้ต่ำกว่าผู้ชนะ ${formatCount(below)} งาน${equalText}`
}

export function formatBidComparison({
  bids: { n, lowest, prices, cheaper, equal, dearer },
}: TargetPriceComparison): string | undefined {
  if (n === 0) return undefined
  const equalText = equal === 0 ? '' : ` เท่ากัน ${formatCount(equal)} ราคา`
  return `ใน ${formatCount(n)} งานที่รู้ราคาทุกราย ราคานี้ต่ำกว่าทุกราย ${formatCount(lowest)} งาน: จาก ${formatCount(prices)} ราคาที่เสนอ ถูกกว่าราคานี้ ${formatCount(cheaper)} ราคา${equalText} แพงกว่า ${formatCount(dearer)} ราคา`
}
