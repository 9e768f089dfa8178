import { findProcurementRule, type LawClause } from '../catalogue/procurement-rules.ts'

/**
 * The advantage of SMEs and of goods made in Thailand under the price criterion (ministerial regulation No. 2 B.E. 2563):
 * a bid above the lowest bid of a bidder without advantage by at most the percentage ranks first.
 */

export type AdvantagedBid = {
  readonly price: number | null
  /** Null while it is unknown, which counts as no advantage. */
  readonly is_sme: boolean | null
  readonly has_mit?: boolean | null
}

export type PriceAdvantage = {
  readonly percents: { readonly sme: number; readonly mit: number; readonly both: number; readonly thai: number }
  readonly source: LawClause
}

export function findPriceAdvantage(announcedOn: string | null): PriceAdvantage | undefined {
  const rule = findProcurementRule('priceAdvantagePercent', announcedOn)
  return rule && { percents: rule.value, source: rule.source }
}

export function getAdvantagePercent(
  { is_sme, has_mit }: Omit<AdvantagedBid, 'price'>,
  { percents }: PriceAdvantage,
): number {
  if (is_sme && has_mit) return percents.both
  if (is_sme) return percents.sme
  return has_mit ? percents.mit : 0
}

/** Highest price in satang that still ranks first, rounded so that 10 % above 100.10 baht is exactly 110.11 baht. */
const limitSatang = (lowest: number, percent: number) => Math.round(lowest * (100 + percent))

/**
 * Returns the rank of each bid with the advantage, undefined for bids without a price: first the advantaged ones within
 * their percentage above the lowest bid without advantage, then all others, each by price.
 */
export function rankWithAdvantage(bids: readonly AdvantagedBid[], advantage: PriceAdvantage): (number | undefined)[] {
  const lowest = Math.min(
    ...bids.flatMap((bid) => (bid.price !== null && getAdvantagePercent(bid, advantage) === 0 ? [bid.price] : [])),
  )
  const keyOf = (bid: AdvantagedBid) => {
    if (bid.price === null) return undefined
    const percent = getAdvantagePercent(bid, advantage)
    const isFirst = percent > 0 && Math.round(bid.price * 100) <= limitSatang(lowest, percent)
    return { group: isFirst ? 0 : 1, price: bid.price }
  }
  const keys = bids.map(keyOf)
  return keys.map(
    (key) =>
      key &&
      keys.filter(
        (other) => other && (other.group < key.group || (other.group === key.group && other.price < key.price)),
      ).length + 1,
  )
}

export const rankIfSme = (
  bids: readonly AdvantagedBid[],
  index: number,
  advantage: PriceAdvantage,
): number | undefined =>
  rankWithAdvantage(
    bids.map((bid, at) => (at === index ? { ...bid, is_sme: true } : bid)),
    advantage,
  )[index]
