import type { BIDDER_COVERAGES, Bidder } from '#contract/project-detail.ts'
import type { StoredBidder, StoredContract, StoredDetail } from './queries.ts'

type Bidders = { readonly bidders: Bidder[]; readonly bidder_coverage: (typeof BIDDER_COVERAGES)[number] }

const baht = (satang: number | null) => (satang === null ? null : satang / 100)

/** Who offered what, and how much of that is known (N14): where nobody listed the bidders, those who won stand alone. */
export function biddersOf(detail: StoredDetail): Bidders {
  const { bidders } = detail
  if (bidders.length > 0) {
    const isComplete = bidders.every(({ price_satang }) => price_satang !== null)
    return { bidders: bidders.map(presentBidder), bidder_coverage: isComplete ? 'full' : 'names' }
  }
  const winners = winnersOf(detail)
  return { bidders: winners, bidder_coverage: winners.length > 0 ? 'winner' : 'none' }
}

const presentBidder = ({ price_satang, ...bidder }: StoredBidder): Bidder => ({ ...bidder, price: baht(price_satang) })

/** Of the contracts, each winner once with the sum of theirs; without contracts the winner that was announced. */
function winnersOf({ contracts, winner_name, winner_satang }: StoredDetail): Bidder[] {
  const named = contracts.filter((contract) => contract.winner_name !== null)
  const byWinner = Map.groupBy(named, ({ winner_tax_id, winner_name: name }) => winner_tax_id ?? name)
  const winners = [...byWinner.values()].map(
    (won): Bidder => ({
      name: won[0]!.winner_name!,
      tax_id: won[0]!.winner_tax_id,
      price: sumOf(won),
      is_winner: true,
      is_sme: null,
    }),
  )
  if (winners.length > 0) return winners.toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity))
  if (winner_name === null) return []
  return [{ name: winner_name, tax_id: null, price: baht(winner_satang), is_winner: true, is_sme: null }]
}

/** Null as soon as one amount is unknown: a part is not what was offered. */
function sumOf(contracts: readonly StoredContract[]): number | null {
  let satang = 0
  for (const { amount_satang } of contracts) {
    if (amount_satang === null) return null
    satang += amount_satang
  }
  return satang / 100
}
