import sql from 'sql-template-tag'
import { MIN_BIDS_FOR_WIN_RATE, MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { computeMedian } from '#contract/quantile.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { departmentIdsSql } from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { CachedCompanies, CompanyCounts } from './cached-companies.ts'
import {
  BIDDER_COVERAGE_MASK,
  COMPANY_FACT_AGAINST_BUDGET_FLAG,
  COMPANY_FACT_DECIDED_FLAG,
  COMPANY_FACT_VALUE_IN_DOUBT_FLAG,
  COMPANY_FACT_WINNER_FLAG,
  type CompanyFactTable,
  MISSING_DAY_NUMBER,
} from './company-fact-columns.ts'
import type { CompanyFactLookups } from './company-fact-lookups.ts'
import type { CompanyNameIndex } from './company-name-index.ts'

/** A scope's conditions on company facts. The lookup tables contain 1 for accepted values. */
export type CompanyFactFilter = {
  readonly from: number
  readonly to: number
  readonly hasYear: boolean
  readonly methods: Uint8Array | undefined
  readonly types: Uint8Array | undefined
  readonly provinces: Uint8Array | undefined
  readonly departments: Uint8Array | undefined
}

/**
 * Reads the filter equivalent to `companyFactConditions`, but without the restriction to the report, which the caller applies.
 * Unknown names match nothing.
 */
export async function loadCompanyFactFilter(
  db: Db,
  search: StatisticsScopeSearch,
  kinds: CompanyFactLookups,
): Promise<CompanyFactFilter> {
  const { year_from: from, year_to: to, project_dept_sub__in: names } = search
  const [row] = names ? await db.query<{ ids: number[] }>(sql`select ${departmentIdsSql(names)} as ids`) : []
  const table = (values: readonly (number | undefined)[] | undefined) => {
    if (!values) return undefined
    const knownValues = values.filter((value) => value !== undefined)
    const marks = new Uint8Array(Math.max(0, ...knownValues) + 1)
    for (const value of knownValues) marks[value] = 1
    return marks
  }
  return {
    from: from ?? 0,
    to: to ?? 0x7fff,
    hasYear: from !== undefined || to !== undefined,
    methods: table(search.project_method__in?.map((text) => kinds.methods.get(text))),
    types: table(search.project_method_type__in?.map((text) => kinds.types.get(text))),
    provinces: table(search.project_province__in?.map((name) => findProvinceByName(name)?.code)),
    departments: table(row?.ids),
  }
}

export function passesCompanyFactFilter(columns: CompanyFactTable, filter: CompanyFactFilter, fact: number): boolean {
  if (filter.hasYear) {
    const year = columns.year[fact]!
    if (year === 0 || year < filter.from || year > filter.to) return false
  }
  if (filter.methods && filter.methods[columns.method[fact]!] !== 1) return false
  if (filter.types && filter.types[columns.methodType[fact]!] !== 1) return false
  if (filter.provinces && filter.provinces[columns.province[fact]!] !== 1) return false
  return !filter.departments || filter.departments[columns.department[fact]!] === 1
}

type CountRequest = {
  readonly filter: CompanyFactFilter
  readonly reportFacts: Int32Array | undefined
  readonly field: string
}

export function getCompanyCounts(companies: CachedCompanies, request: CountRequest): CompanyCounts {
  if (request.reportFacts) return countCompanies(companies, request)
  const { filter, field } = request
  const tables = [filter.methods, filter.types, filter.provinces, filter.departments].map(
    (table) => table?.join('') ?? '-',
  )
  const key = [filter.hasYear, filter.from, filter.to, EXTRA_COUNT_FIELDS.has(field) ? field : '', ...tables].join(' ')
  const counts = companies.countsCache.get(key) ?? countCompanies(companies, request)
  companies.countsCache.set(key, counts)
  return counts
}

const EXTRA_COUNT_FIELDS: ReadonlySet<string> = new Set(['departments', 'median_discount'])

function countCompanies(
  { columns, kinds }: CachedCompanies,
  { filter, reportFacts, field }: CountRequest,
): CompanyCounts {
  const { company, project, department, year, flags, value, base, decidedOn } = columns
  const count = columns.companyIds.length
  const counts: Omit<CompanyCounts, 'scope'> = {
    projects: new Int32Array(count),
    wins: new Int32Array(count),
    value: new Float64Array(count).fill(Number.NaN),
    bids: new Int32Array(count),
    decided: new Int32Array(count),
    won: new Int32Array(count),
    discounts: new Int32Array(count),
    base: new Float64Array(count),
    saved: new Float64Array(count),
    lastWin: new Int32Array(count).fill(MISSING_DAY_NUMBER),
    departments: new Int32Array(field === 'departments' ? count : 0),
    median: new Float64Array(field === 'median_discount' ? count : 0).fill(Number.NaN),
  }
  const isMet = new Uint8Array(columns.projectCount)
  const projectsInDoubt = new Set<number>()
  const coverages = [0, 0, 0]
  let [firstYear, lastYear] = [0x7fff, 0]
  const lastOf = new Int32Array(field === 'departments' ? kinds.departments.length + 1 : 0).fill(-1)
  let [rates, rated]: [number[], number] = [[], -1]
  const endRates = () => {
    if (rates.length > 0) counts.median[rated] = computeMedian(rates)!
    rates = []
  }
  const size = reportFacts?.length ?? columns.size
  for (let at = 0; at < size; at += 1) {
    const fact = reportFacts ? reportFacts[at]! : at
    if (!passesCompanyFactFilter(columns, filter, fact)) continue
    const flag = flags[fact]!
    const coverage = flag & BIDDER_COVERAGE_MASK
    if (isMet[project[fact]!] === 0) {
      isMet[project[fact]!] = 1
      coverages[coverage] = coverages[coverage]! + 1
      const factYear = year[fact]!
      if (factYear > 0 && factYear < firstYear) firstYear = factYear
      if (factYear > lastYear) lastYear = factYear
    }
    if ((flag & COMPANY_FACT_VALUE_IN_DOUBT_FLAG) !== 0) projectsInDoubt.add(project[fact]!)
    const companyNumber = company[fact]!
    const isWinner = (flag & COMPANY_FACT_WINNER_FLAG) !== 0
    counts.projects[companyNumber] = counts.projects[companyNumber]! + 1
    const satang = value[fact]!
    if (!Number.isNaN(satang))
      counts.value[companyNumber] =
        (Number.isNaN(counts.value[companyNumber]!) ? 0 : counts.value[companyNumber]!) + satang
    if (isWinner) {
      counts.wins[companyNumber] = counts.wins[companyNumber]! + 1
      if (decidedOn[fact]! > counts.lastWin[companyNumber]!) counts.lastWin[companyNumber] = decidedOn[fact]!
    }
    if (coverage > 0) {
      counts.bids[companyNumber] = counts.bids[companyNumber]! + 1
      if ((flag & COMPANY_FACT_DECIDED_FLAG) !== 0) counts.decided[companyNumber] = counts.decided[companyNumber]! + 1
      if (isWinner) counts.won[companyNumber] = counts.won[companyNumber]! + 1
    }
    const basePrice = base[fact]!
    if (!Number.isNaN(basePrice) && (flag & COMPANY_FACT_AGAINST_BUDGET_FLAG) === 0) {
      counts.discounts[companyNumber] = counts.discounts[companyNumber]! + 1
      counts.base[companyNumber] = counts.base[companyNumber]! + basePrice
      counts.saved[companyNumber] = counts.saved[companyNumber]! + (basePrice - satang)
      if (field === 'median_discount') {
        if (rated !== companyNumber) endRates()
        rated = companyNumber
        rates.push((basePrice - satang) / basePrice)
      }
    }
    // Facts are ordered by company, so the last company of each agency suffices to count it once.
    if (field === 'departments' && isWinner) {
      const agency = kinds.departments[department[fact]!]!
      if (lastOf[agency] !== companyNumber) {
        lastOf[agency] = companyNumber
        counts.departments[companyNumber] = counts.departments[companyNumber]! + 1
      }
    }
  }
  endRates()
  const [winner, names, full] = coverages as [number, number, number]
  const scope = {
    projects: winner + names + full,
    coverage_full: full,
    coverage_names: names,
    coverage_winner: winner,
    year_from: lastYear === 0 ? null : firstYear,
    year_to: lastYear === 0 ? null : lastYear,
    amounts_in_doubt: projectsInDoubt.size,
  }
  return { ...counts, scope }
}

/**
 * Returns the sort key of each company (NaN if the list shows no value) and which companies sort last. Counterpart of
 * `SORT_SQL` and `IS_BEHIND` in the SQL of the company list.
 */
export function getCompanySortKeys(
  field: string,
  counts: CompanyCounts,
  names: CompanyNameIndex,
): { readonly keys: (company: number) => number; readonly isBehind: (company: number) => boolean } {
  const { bids, decided, won, base, saved, discounts, lastWin } = counts
  const never = () => false
  const hasFew = (company: number) => discounts[company]! < MIN_DISCOUNTS_TO_RANK
  switch (field) {
    case 'wins':
      return { keys: (company) => counts.wins[company]!, isBehind: never }
    case 'bids':
      return { keys: (company) => (bids[company]! > 0 ? decided[company]! : Number.NaN), isBehind: never }
    case 'win_rate':
      return {
        keys: (company) =>
          decided[company]! >= MIN_BIDS_FOR_WIN_RATE ? won[company]! / decided[company]! : Number.NaN,
        isBehind: never,
      }
    case 'weighted_discount':
      return {
        keys: (company) => (base[company]! === 0 ? Number.NaN : saved[company]! / base[company]!),
        isBehind: hasFew,
      }
    case 'median_discount':
      return { keys: (company) => counts.median[company]!, isBehind: hasFew }
    case 'departments':
      return { keys: (company) => counts.departments[company]!, isBehind: never }
    case 'last_win':
      return {
        keys: (company) => (lastWin[company] === MISSING_DAY_NUMBER ? Number.NaN : lastWin[company]!),
        isBehind: never,
      }
    case 'name':
      return { keys: (company) => names.nameRanks[company]!, isBehind: never }
    default:
      return { keys: (company) => counts.value[company]!, isBehind: never }
  }
}
