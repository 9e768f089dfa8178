import { computeMedian } from '#contract/quantile.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_DECIDED_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  MISSING_DAY_NUMBER,
} from '#server/market/company/memory/company-fact-columns.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatDayNumber } from '#server/platform/text/day-number.ts'
import {
  type CompanyComparisonScope,
  type CompanyFacts,
  compareCompanyFactsNewestFirst,
  readCompanyFacts,
} from './company-facts.ts'
import type { CompanyHeadToHeadResult } from './comparison-input.ts'

export type StoredCompanyHeadToHead = {
  readonly a: number
  readonly b: number
  readonly met: number
  readonly a_won: number
  readonly b_won: number
  readonly others_won: number
  readonly undecided: number
  readonly mean_gap: number | null
  readonly median_gap: number | null
  readonly n_gap: number
  readonly last_met_on: string | null
}

/** The facts of two companies in one project with a full bidder list; `a` belongs to the company listed first. */
type Pair = { readonly a: number; readonly b: number }

function pairsOf({ flags, companyIndex, projects }: CompanyFacts): Pair[] {
  const pairs: Pair[] = []
  for (const facts of projects) {
    if (facts.length === 1) continue
    const bids = facts
      .filter((fact) => (flags[fact]! & BIDDER_COVERAGE_MASK) > 0)
      .toSorted((x, y) => companyIndex[x]! - companyIndex[y]!)
    for (const [at, a] of bids.entries()) for (const b of bids.slice(at + 1)) pairs.push({ a, b })
  }
  return pairs
}

function hasResult({ flags }: CompanyFacts, { a, b }: Pair, result: CompanyHeadToHeadResult): boolean {
  const has = (fact: number, flag: number) => (flags[fact]! & flag) !== 0
  switch (result) {
    case 'met':
      return true
    case 'a_won':
      return has(a, COMPANY_FACT_WINNER_FLAG)
    case 'b_won':
      return has(b, COMPANY_FACT_WINNER_FLAG)
    case 'others_won':
      return has(a, COMPANY_FACT_DECIDED_FLAG) && !has(a, COMPANY_FACT_WINNER_FLAG) && !has(b, COMPANY_FACT_WINNER_FLAG)
    case 'undecided':
      return !has(a, COMPANY_FACT_DECIDED_FLAG)
  }
}

export function countCompanyHeadToHeads(facts: CompanyFacts): StoredCompanyHeadToHead[] {
  const { companyIndex, day, bid, reference } = facts
  const cells = Map.groupBy(pairsOf(facts), ({ a, b }) => `${companyIndex[a]} ${companyIndex[b]}`)
  return [...cells.values()].map((pairs) => {
    const [first] = pairs
    const count = (result: CompanyHeadToHeadResult) => pairs.filter((pair) => hasResult(facts, pair, result)).length
    const gaps = pairs
      .filter(({ a }) => reference[a] !== 0)
      .map(({ a, b }) => (bid[b]! - bid[a]!) / reference[a]!)
      .filter((gap) => !Number.isNaN(gap))
    const lastMet = pairs.reduce((latest, { a }) => Math.max(latest, day[a]!), MISSING_DAY_NUMBER)
    return {
      a: companyIndex[first!.a]!,
      b: companyIndex[first!.b]!,
      met: pairs.length,
      a_won: count('a_won'),
      b_won: count('b_won'),
      others_won: count('others_won'),
      undecided: count('undecided'),
      mean_gap: gaps.length === 0 ? null : gaps.reduce((sum, gap) => sum + gap) / gaps.length,
      median_gap: computeMedian(gaps) ?? null,
      n_gap: gaps.length,
      last_met_on: lastMet === MISSING_DAY_NUMBER ? null : formatDayNumber(lastMet),
    }
  })
}

export async function findCompanyHeadToHeads(
  db: Db,
  scope: CompanyComparisonScope,
  cell: { readonly a: number; readonly b: number; readonly result: CompanyHeadToHeadResult },
  {
    limit,
    offset,
    memory,
  }: { readonly limit: number; readonly offset: number; readonly memory: CompanyFactCache | undefined },
): Promise<{ readonly total: number; readonly projectIds: readonly string[] }> {
  const facts = await readCompanyFacts(db, scope, memory)
  const { companyIndex, projectIdOf } = facts
  const met = pairsOf(facts)
    .map(({ a, b }) => (companyIndex[a] === cell.a ? { a, b } : { a: b, b: a }))
    .filter(
      (pair) =>
        companyIndex[pair.a] === cell.a && companyIndex[pair.b] === cell.b && hasResult(facts, pair, cell.result),
    )
    .map(({ a }) => a)
  const page = met.toSorted((x, y) => compareCompanyFactsNewestFirst(facts, x, y)).slice(offset, offset + limit)
  return { total: met.length, projectIds: page.map(projectIdOf) }
}
