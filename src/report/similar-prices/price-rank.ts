import type { SimilarProject } from '#contract/catalogue/similar-prices.ts'
import { countText } from '#src/lib/money-text.ts'

/** A price as a part of the reference price, exact: `own` of `of`. The same part of another project's reference price is what would be offered there. */
export type PriceRatio = { readonly own: bigint; readonly of: bigint }

const satang = (baht: number) => BigInt(Math.round(baht * 100))

/** Of a price against a reference price, baht. */
export const ratioOfPrice = (baht: number, reference: number): PriceRatio => ({
  own: satang(baht),
  of: satang(reference),
})
/** Of a discount as a share, exact to a millionth. */
export const ratioOfDiscount = (discount: number): PriceRatio => ({
  own: 1_000_000n - BigInt(Math.round(discount * 1_000_000)),
  of: 1_000_000n,
})

/** Where a price stands. What is known of the winner alone and what is known of every bidder are two countings, and no project is in both. */
export type PriceRank = {
  /** Projects of which the winner alone is known: how many winners were dearer, as dear, cheaper. */
  readonly winners: { readonly n: number; readonly below: number; readonly equal: number; readonly above: number }
  /** Projects of which every bid is known: in how many this price is below all of them; and how many bids are cheaper, as dear, dearer. */
  readonly bids: {
    readonly n: number
    readonly lowest: number
    readonly prices: number
    readonly cheaper: number
    readonly equal: number
    readonly dearer: number
  }
}

type Compared = Pick<SimilarProject, 'estimate_budget' | 'winner_budget' | 'bids'>

/** Compares to the satang: `own / of` of each reference price with what was offered. */
export function priceRankOf({ own, of }: PriceRatio, projects: readonly Compared[]): PriceRank {
  const winners = { n: 0, below: 0, equal: 0, above: 0 }
  const bids = { n: 0, lowest: 0, prices: 0, cheaper: 0, equal: 0, dearer: 0 }
  for (const project of projects) {
    const ours = own * satang(project.estimate_budget)
    const theirs = (baht: number) => satang(baht) * of
    if (project.bids.length === 0) {
      const winner = theirs(project.winner_budget)
      winners.n += 1
      winners[ours < winner ? 'below' : ours === winner ? 'equal' : 'above'] += 1
      continue
    }
    bids.n += 1
    bids.prices += project.bids.length
    if (project.bids.every((bid) => ours < theirs(bid))) bids.lowest += 1
    for (const bid of project.bids) {
      const price = theirs(bid)
      bids[price < ours ? 'cheaper' : price === ours ? 'equal' : 'dearer'] += 1
    }
  }
  return { winners, bids }
}

/** `ในงานที่คล้ายกัน 11 งาน ราคานี้ต่ำกว่าผู้ชนะ 6 งาน`; undefined where no winner stands alone. */
export function winnersText({ winners: { n, below, equal } }: PriceRank): string | undefined {
  if (n === 0) return undefined
  const same = equal === 0 ? '' : ` เท่ากับผู้ชนะ ${countText(equal)} งาน`
  return `ในงานที่คล้ายกัน ${countText(n)} งาน ราคานี้ต่ำกว่าผู้ชนะ ${countText(below)} งาน${same}`
}

/** The same against every bid; undefined where no project tells all of them. */
export function bidsText({ bids: { n, lowest, prices, cheaper, equal, dearer } }: PriceRank): string | undefined {
  if (n === 0) return undefined
  const same = equal === 0 ? '' : ` เท่ากัน ${countText(equal)} ราคา`
  return `ใน ${countText(n)} งานที่รู้ราคาทุกราย ราคานี้ต่ำกว่าทุกราย ${countText(lowest)} งาน: จาก ${countText(prices)} ราคาที่เสนอ ถูกกว่าราคานี้ ${countText(cheaper)} ราคา${same} แพงกว่า ${countText(dearer)} ราคา`
}
