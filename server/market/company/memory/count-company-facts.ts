import { computeMedian } from '#contract/quantile.ts'
import type { BidColumns, BidderCoverageColumns, DiscountColumns } from '#server/market/company/company-scope.ts'
import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_AGAINST_BUDGET_FLAG,
  COMPANY_FACT_DECIDED_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  type CompanyFactTable,
} from './company-fact-columns.ts'

type FactCounts = { readonly wins: number; readonly value_satang: number | null } & BidColumns &
  BidderCoverageColumns &
  DiscountColumns

/**
 * Counts wins, value, bids, coverage and discounts (D20, D21) with the same results as `BID_COLUMNS_SQL`,
 * `BIDDER_COVERAGE_COLUMNS_SQL` and `discountColumnsSql`.
 */
export function countCompanyFacts(
  columns: Pick<CompanyFactTable, 'flags' | 'value' | 'base'>,
  facts: ArrayLike<number>,
): FactCounts {
  const { flags, value, base } = columns
  const [againstReference, againstBudget] = [new DiscountCounter(), new DiscountCounter()]
  const coverages = [0, 0, 0]
  let [wins, sum, hasValue, bidsDecided, bidsWon] = [0, 0, false, 0, 0]
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at]!
    const flag = flags[fact]!
    const coverage = flag & BIDDER_COVERAGE_MASK
    const isWinner = (flag & COMPANY_FACT_WINNER_FLAG) !== 0
    coverages[coverage] = coverages[coverage]! + 1
    if (isWinner) wins += 1
    if (coverage > 0 && (flag & COMPANY_FACT_DECIDED_FLAG) !== 0) bidsDecided += 1
    if (coverage > 0 && isWinner) bidsWon += 1
    if (!Number.isNaN(value[fact]!)) {
      sum += value[fact]!
      hasValue = true
    }
    if (!Number.isNaN(base[fact]!))
      ((flag & COMPANY_FACT_AGAINST_BUDGET_FLAG) === 0 ? againstReference : againstBudget).add(
        base[fact]!,
        value[fact]!,
      )
  }
  const [winner, names, full] = coverages as [number, number, number]
  return {
    wins,
    value_satang: hasValue ? sum : null,
    bids: names + full,
    bids_decided: bidsDecided,
    bids_won: bidsWon,
    projects: winner + names + full,
    coverage_full: full,
    coverage_names: names,
    coverage_winner: winner,
    discount_n: againstReference.n,
    discount_weighted: againstReference.weighted,
    discount_median: againstReference.median,
    budget_n: againstBudget.n,
    budget_weighted: againstBudget.weighted,
    budget_median: againstBudget.median,
  }
}

class DiscountCounter {
  readonly #rates: number[] = []
  #base = 0
  #saved = 0

  add(base: number, value: number): void {
    this.#base += base
    this.#saved += base - value
    this.#rates.push((base - value) / base)
  }

  get n(): number {
    return this.#rates.length
  }

  get weighted(): number | null {
    return this.n === 0 ? null : this.#saved / this.#base
  }

  get median(): number | null {
    return computeMedian(this.#rates) ?? null
  }
}
