import sql from 'sql-template-tag'
import { computeMedian } from '#contract/quantile.ts'
import type {
  BidColumns,
  BidderCoverageColumns,
  DiscountColumns,
  StatisticsScopeColumns,
} from '#server/market/company/company-scope.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_AGAINST_BUDGET_FLAG,
  COMPANY_FACT_VALUE_IN_DOUBT_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  MISSING_DAY_NUMBER,
} from '#server/market/company/memory/company-fact-columns.ts'
import { countCompanyFacts } from '#server/market/company/memory/count-company-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'
import { formatDayNumber } from '#server/platform/text/day-number.ts'
import {
  type CompanyComparisonScope,
  type CompanyFacts,
  compareCompanyFactsNewestFirst,
  readCompanyFacts,
} from './company-facts.ts'
import { countCompanyHeadToHeads, type StoredCompanyHeadToHead } from './company-head-to-heads.ts'

const MAX_COMMON = 500
const MAX_PRICES = 3_000
const MAX_DEPARTMENTS = 40

export type StoredCompanySummary = {
  readonly companyIndex: number
  readonly wins: number
  readonly value_satang: number | null
  readonly median_contract_satang: number | null
  readonly active_contracts: number
  readonly departments: number
  readonly last_win_on: string | null
} & BidColumns &
  DiscountColumns &
  BidderCoverageColumns

type CompanySlice = { readonly companyIndex: number; readonly wins: number; readonly value_satang: number | null }

export type StoredCompanyComparison = {
  readonly scope: StatisticsScopeColumns
  readonly summaries: readonly StoredCompanySummary[]
  readonly meetings: readonly StoredCompanyHeadToHead[]
  readonly common: readonly string[]
  readonly common_total: number
  readonly prices: readonly {
    readonly companyIndex: number
    readonly project_id: string
    readonly date: string
    readonly ratio: number
    readonly is_winner: boolean
    readonly criteria: string
  }[]
  readonly prices_total: number
  readonly departments: readonly { readonly department: string; readonly cells: readonly CompanySlice[] }[]
  readonly departments_total: number
  readonly mix: readonly ({
    readonly dimension: 'method' | 'type' | 'size' | 'province'
    readonly code: number | null
    readonly text: string | null
  } & CompanySlice)[]
}

/**
 * Contract size bands in baht, upper bound inclusive: up to 500,000 the state may buy without competition; from 5
 * million the draft must be published for comment.
 */
const SIZE_BOUNDS = [0, 500_000, 5_000_000, 10_000_000, 50_000_000] as const
const UNKNOWN_BAND = SIZE_BOUNDS.length

function sizeBand(satang: number): number {
  if (Number.isNaN(satang)) return UNKNOWN_BAND
  return SIZE_BOUNDS.findLastIndex((border, band) => band === 0 || satang > border * 100)
}

/** Returns a name such as `500000-5000000`, `50000000-` for the open-ended band, or `unknown`. */
export function formatProjectSizeBand(band: number): string {
  if (band === UNKNOWN_BAND) return 'unknown'
  return `${SIZE_BOUNDS[band]}-${SIZE_BOUNDS[band + 1] ?? ''}`
}

export const PROJECT_SIZE_BAND_NAMES: readonly string[] = [...SIZE_BOUNDS, UNKNOWN_BAND].map((_, band) =>
  formatProjectSizeBand(band),
)

type NamesById = { readonly departments: ReadonlyMap<number, string>; readonly values: ReadonlyMap<number, string> }

async function readNames(db: Db, facts: CompanyFacts): Promise<NamesById> {
  const units = [...new Set(facts.department)]
  const [departments, values] = [
    await db.query<{ id: number; text: string }>(
      sql`select d.id, d.agency as text from ${purchasingUnitsWithAgencySql(sql`unit.id = any (${units}::int[])`)} d where d.id = any (${units}::int[])`,
    ),
    await db.query<{ id: number; text: string }>(
      sql`select v.id, v.value as text from match_values v
        where v.id = any (${[...new Set([...facts.method, ...facts.methodType, ...facts.criteria])]}::int[])`,
    ),
  ]
  const byId = (rows: readonly { id: number; text: string }[]) => new Map(rows.map(({ id, text }) => [id, text]))
  return { departments: byId(departments), values: byId(values) }
}

/**
 * Computes all figures of a comparison from one read; 20,000 facts take 10 ms. Project names are loaded later, and only
 * for the rows shown (`loadCommonProjects`, `loadProjectNames`).
 */
export async function loadCompanyComparisonFigures(
  db: Db,
  scope: CompanyComparisonScope,
  memory: CompanyFactCache | undefined,
): Promise<StoredCompanyComparison> {
  const facts = await readCompanyFacts(db, scope, memory)
  const names = await readNames(db, facts)
  const { projects } = facts
  const factsByCompany = Map.groupBy(projects.flat(), (fact) => facts.companyIndex[fact]!)
  const wins = projects.flat().filter((fact) => isWinner(facts, fact))
  return {
    scope: toScopeColumns(facts),
    summaries: [...factsByCompany].map(([companyIndex, companyFacts]) =>
      summaryOf(facts, names, companyIndex, companyFacts),
    ),
    meetings: countCompanyHeadToHeads(facts),
    ...commonOf(facts),
    ...pricesOf(facts, names, scope.search.project_criteria_for_consideration),
    ...departmentsOf(facts, names, wins),
    mix: mixOf(facts, names, wins),
  }
}

const isWinner = ({ flags }: CompanyFacts, fact: number) => (flags[fact]! & COMPANY_FACT_WINNER_FLAG) !== 0

function toScopeColumns({ flags, year, projects }: CompanyFacts): StoredCompanyComparison['scope'] {
  const coverages = [0, 0, 0]
  let [from, to, inDoubt] = [Number.POSITIVE_INFINITY, 0, 0]
  for (const facts of projects) {
    const coverage = Math.max(...facts.map((fact) => flags[fact]! & BIDDER_COVERAGE_MASK))
    coverages[coverage] = coverages[coverage]! + 1
    if (facts.some((fact) => (flags[fact]! & COMPANY_FACT_VALUE_IN_DOUBT_FLAG) !== 0)) inDoubt += 1
    // All facts of a project have the project's year.
    const of = year[facts[0]!]!
    if (of > 0) [from, to] = [Math.min(from, of), Math.max(to, of)]
  }
  const [winner, names, full] = coverages as [number, number, number]
  return {
    projects: projects.length,
    coverage_full: full,
    coverage_names: names,
    coverage_winner: winner,
    year_from: to === 0 ? null : from,
    year_to: to === 0 ? null : to,
    amounts_in_doubt: inDoubt,
  }
}

function summaryOf(
  facts: CompanyFacts,
  names: NamesById,
  companyIndex: number,
  companyFacts: readonly number[],
): StoredCompanySummary {
  const won = companyFacts.filter((fact) => isWinner(facts, fact))
  const amounts = won.flatMap((fact) => [...facts.amounts[fact]!])
  const lastWin = won.reduce((latest, fact) => Math.max(latest, facts.decidedOn[fact]!), MISSING_DAY_NUMBER)
  return {
    companyIndex,
    ...countCompanyFacts(facts, companyFacts),
    median_contract_satang: computeMedian(amounts) ?? null,
    active_contracts: won.reduce((sum, fact) => sum + facts.active[fact]!, 0),
    departments: new Set(won.map((fact) => names.departments.get(facts.department[fact]!))).size,
    last_win_on: lastWin === MISSING_DAY_NUMBER ? null : formatDayNumber(lastWin),
  }
}

function commonOf(facts: CompanyFacts) {
  const common = facts.projects.filter(({ length }) => length > 1).map(([fact]) => fact!)
  const sorted = common.toSorted((a, b) => compareCompanyFactsNewestFirst(facts, a, b))
  return { common: sorted.slice(0, MAX_COMMON).map(facts.projectIdOf), common_total: common.length }
}

/**
 * Returns the bid as a share of the reference price; if the bid is unknown and the company is the only winner, the
 * contract value instead (D20). NaN means unknown.
 */
function ratioOf({ bid, reference, value, base, flags }: CompanyFacts, fact: number): number {
  const of = (price: number, against: number) => (against === 0 ? Number.NaN : price / against)
  if (!Number.isNaN(bid[fact]!)) return of(bid[fact]!, reference[fact]!)
  const isComparableWin =
    (flags[fact]! & COMPANY_FACT_WINNER_FLAG) !== 0 && (flags[fact]! & COMPANY_FACT_AGAINST_BUDGET_FLAG) === 0
  return isComparableWin ? of(value[fact]!, base[fact]!) : Number.NaN
}

function pricesOf(facts: CompanyFacts, { values }: NamesById, criteria: readonly string[] | undefined) {
  const { day, projectIdOf, companyIndex, projects } = facts
  const offers = projects.flat().filter((fact) => {
    if (day[fact] === MISSING_DAY_NUMBER || Number.isNaN(ratioOf(facts, fact))) return false
    return criteria === undefined || criteria.includes(values.get(facts.criteria[fact]!) ?? '')
  })
  const newest = offers.toSorted((a, b) => compareCompanyFactsNewestFirst(facts, a, b)).slice(0, MAX_PRICES)
  const upwards = newest.toSorted((a, b) => day[a]! - day[b]! || compareCompanyFactsNewestFirst(facts, a, b))
  const prices = upwards.map((fact) => ({
    companyIndex: companyIndex[fact]!,
    project_id: projectIdOf(fact),
    date: formatDayNumber(day[fact]!),
    ratio: ratioOf(facts, fact),
    is_winner: isWinner(facts, fact),
    criteria: values.get(facts.criteria[fact]!) ?? '',
  }))
  return { prices, prices_total: offers.length }
}

function cellsOf({ companyIndex, value }: CompanyFacts, wins: readonly number[]): CompanySlice[] {
  return [...Map.groupBy(wins, (fact) => companyIndex[fact]!)].map(([of, companyWins]) => {
    const knownValues = companyWins.map((fact) => value[fact]!).filter((satang) => !Number.isNaN(satang))
    return {
      companyIndex: of,
      wins: companyWins.length,
      value_satang: knownValues.length === 0 ? null : knownValues.reduce((a, b) => a + b),
    }
  })
}

function departmentsOf(facts: CompanyFacts, names: NamesById, wins: readonly number[]) {
  const byName = Map.groupBy(wins, (fact) => names.departments.get(facts.department[fact]!) ?? '')
  const sorted = [...byName].toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
  const departments = sorted
    .slice(0, MAX_DEPARTMENTS)
    .map(([department, departmentWins]) => ({ department, cells: cellsOf(facts, departmentWins) }))
  return { departments, departments_total: byName.size }
}

function mixOf(facts: CompanyFacts, { values }: NamesById, wins: readonly number[]): StoredCompanyComparison['mix'] {
  const { method, methodType, province, value } = facts
  const codes = {
    method: (fact: number) => method[fact]!,
    type: (fact: number) => methodType[fact]!,
    size: (fact: number) => sizeBand(value[fact]!),
    province: (fact: number) => province[fact]!,
  } as const
  return (['method', 'type', 'size', 'province'] as const).flatMap((dimension) =>
    [...Map.groupBy(wins, codes[dimension])].flatMap(([code, kindWins]) =>
      cellsOf(facts, kindWins).map((slice) => ({
        dimension,
        code: dimension === 'province' && code === 0 ? null : code,
        text: dimension === 'method' || dimension === 'type' ? (values.get(code) ?? null) : null,
        ...slice,
      })),
    ),
  )
}
