import sql from 'sql-template-tag'
import { FEWEST_BIDS, FEWEST_DISCOUNTS } from '#contract/market/company.ts'
import type { FigureScopeSearch } from '#contract/market/company-params.ts'
import { medianOf } from '#contract/quantile.ts'
import { provinceNamed } from '#contract/thai/province.ts'
import { departmentIds } from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { CompanyNames } from './company-names.ts'
import { COVERAGE, type FactColumns, IS_AGAINST_BUDGET, IS_DECIDED, IS_WINNER, NO_DAY } from './fact-columns.ts'
import type { Counted, HeldCompanies } from './held-companies.ts'
import type { Kinds } from './kinds.ts'

/** Conditions of a scope on facts; lookup tables contain 1 for accepted values. */
export type Filter = {
  readonly from: number
  readonly to: number
  readonly hasYear: boolean
  readonly methods: Uint8Array | undefined
  readonly types: Uint8Array | undefined
  readonly provinces: Uint8Array | undefined
  readonly departments: Uint8Array | undefined
}

/** Like `factConditions`, without the report's universe, which the caller applies. Unknown names match nothing. */
export async function readFilter(db: Db, search: FigureScopeSearch, kinds: Kinds): Promise<Filter> {
  const { year_from: from, year_to: to, project_dept_sub__in: names } = search
  const [found] = names ? await db.query<{ ids: number[] }>(sql`select ${departmentIds(names)} as ids`) : []
  const table = (values: readonly (number | undefined)[] | undefined) => {
    if (!values) return undefined
    const known = values.filter((value) => value !== undefined)
    const marks = new Uint8Array(Math.max(0, ...known) + 1)
    for (const value of known) marks[value] = 1
    return marks
  }
  return {
    from: from ?? 0,
    to: to ?? 0x7fff,
    hasYear: from !== undefined || to !== undefined,
    methods: table(search.project_method__in?.map((text) => kinds.methods.get(text))),
    types: table(search.project_method_type__in?.map((text) => kinds.types.get(text))),
    provinces: table(search.project_province__in?.map((name) => provinceNamed(name)?.code)),
    departments: table(found?.ids),
  }
}

export function isIn(columns: FactColumns, filter: Filter, fact: number): boolean {
  if (filter.hasYear) {
    const year = columns.year[fact]!
    if (year === 0 || year < filter.from || year > filter.to) return false
  }
  if (filter.methods && filter.methods[columns.method[fact]!] !== 1) return false
  if (filter.types && filter.types[columns.methodType[fact]!] !== 1) return false
  if (filter.provinces && filter.provinces[columns.province[fact]!] !== 1) return false
  return !filter.departments || filter.departments[columns.department[fact]!] === 1
}

type Wanted = {
  readonly filter: Filter
  /** Facts to scan, ascending; undefined: all. */
  readonly watched: Int32Array | undefined
  readonly field: string
}

/** Like `countCompanies`, with a small cache for scopes that are the same for everyone. */
export function countOrKeep(held: HeldCompanies, wanted: Wanted): Counted {
  if (wanted.watched) return countCompanies(held, wanted)
  const { filter, field } = wanted
  const tables = [filter.methods, filter.types, filter.provinces, filter.departments].map(
    (table) => table?.join('') ?? '-',
  )
  const key = [filter.hasYear, filter.from, filter.to, COUNTED_APART.has(field) ? field : '', ...tables].join(' ')
  const counted = held.counted.get(key) ?? countCompanies(held, wanted)
  held.counted.set(key, counted)
  return counted
}

const COUNTED_APART: ReadonlySet<string> = new Set(['departments', 'median_discount'])

function countCompanies({ columns, kinds }: HeldCompanies, { filter, watched, field }: Wanted): Counted {
  const { company, project, department, year, flags, value, base, decidedOn } = columns
  const count = columns.companyIds.length
  const counted: Counted = {
    projects: new Int32Array(count),
    wins: new Int32Array(count),
    value: new Float64Array(count).fill(Number.NaN),
    bids: new Int32Array(count),
    decided: new Int32Array(count),
    won: new Int32Array(count),
    discounts: new Int32Array(count),
    base: new Float64Array(count),
    saved: new Float64Array(count),
    lastWin: new Int32Array(count).fill(NO_DAY),
    departments: new Int32Array(field === 'departments' ? count : 0),
    median: new Float64Array(field === 'median_discount' ? count : 0).fill(Number.NaN),
    scope: { projects: 0, coverage_full: 0, coverage_names: 0, coverage_winner: 0, year_from: null, year_to: null },
  }
  const isMet = new Uint8Array(columns.projectCount)
  const coverages = [0, 0, 0]
  let [firstYear, lastYear] = [0x7fff, 0]
  const lastOf = new Int32Array(field === 'departments' ? kinds.departments.length + 1 : 0).fill(-1)
  let [rates, rated]: [number[], number] = [[], -1]
  const endRates = () => {
    if (rates.length > 0) counted.median[rated] = medianOf(rates)!
    rates = []
  }
  const size = watched?.length ?? columns.size
  for (let at = 0; at < size; at += 1) {
    const fact = watched ? watched[at]! : at
    if (!isIn(columns, filter, fact)) continue
    const flag = flags[fact]!
    const coverage = flag & COVERAGE
    if (isMet[project[fact]!] === 0) {
      isMet[project[fact]!] = 1
      coverages[coverage] = coverages[coverage]! + 1
      const of = year[fact]!
      if (of > 0 && of < firstYear) firstYear = of
      if (of > lastYear) lastYear = of
    }
    const one = company[fact]!
    const isWinner = (flag & IS_WINNER) !== 0
    counted.projects[one] = counted.projects[one]! + 1
    const satang = value[fact]!
    if (!Number.isNaN(satang))
      counted.value[one] = (Number.isNaN(counted.value[one]!) ? 0 : counted.value[one]!) + satang
    if (isWinner) {
      counted.wins[one] = counted.wins[one]! + 1
      if (decidedOn[fact]! > counted.lastWin[one]!) counted.lastWin[one] = decidedOn[fact]!
    }
    if (coverage > 0) {
      counted.bids[one] = counted.bids[one]! + 1
      if ((flag & IS_DECIDED) !== 0) counted.decided[one] = counted.decided[one]! + 1
      if (isWinner) counted.won[one] = counted.won[one]! + 1
    }
    const held = base[fact]!
    if (!Number.isNaN(held) && (flag & IS_AGAINST_BUDGET) === 0) {
      counted.discounts[one] = counted.discounts[one]! + 1
      counted.base[one] = counted.base[one]! + held
      counted.saved[one] = counted.saved[one]! + (held - satang)
      if (field === 'median_discount') {
        if (rated !== one) endRates()
        rated = one
        rates.push((held - satang) / held)
      }
    }
    // Facts are ordered by company.
    if (field === 'departments' && isWinner) {
      const place = kinds.departments[department[fact]!]!
      if (lastOf[place] !== one) {
        lastOf[place] = one
        counted.departments[one] = counted.departments[one]! + 1
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
  }
  return { ...counted, scope }
}

/**
 * Returns the sort key of each company (NaN: no value shown) and which companies sort last. Counterpart of `SORT_SQL`
 * and `IS_BEHIND` in the list's queries.
 */
export function keysOf(
  field: string,
  counted: Counted,
  names: CompanyNames,
): { readonly keys: (company: number) => number; readonly isBehind: (company: number) => boolean } {
  const { bids, decided, won, base, saved, discounts, lastWin } = counted
  const never = () => false
  const hasFew = (company: number) => discounts[company]! < FEWEST_DISCOUNTS
  switch (field) {
    case 'wins':
      return { keys: (company) => counted.wins[company]!, isBehind: never }
    case 'bids':
      return { keys: (company) => (bids[company]! > 0 ? decided[company]! : Number.NaN), isBehind: never }
    case 'win_rate':
      return {
        keys: (company) => (decided[company]! >= FEWEST_BIDS ? won[company]! / decided[company]! : Number.NaN),
        isBehind: never,
      }
    case 'weighted_discount':
      return {
        keys: (company) => (base[company]! === 0 ? Number.NaN : saved[company]! / base[company]!),
        isBehind: hasFew,
      }
    case 'median_discount':
      return { keys: (company) => counted.median[company]!, isBehind: hasFew }
    case 'departments':
      return { keys: (company) => counted.departments[company]!, isBehind: never }
    case 'last_win':
      return {
        keys: (company) => (lastWin[company] === NO_DAY ? Number.NaN : lastWin[company]!),
        isBehind: never,
      }
    case 'name':
      return { keys: (company) => names.places[company]!, isBehind: never }
    default:
      return { keys: (company) => counted.value[company]!, isBehind: never }
  }
}
