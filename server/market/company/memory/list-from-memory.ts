import sql from 'sql-template-tag'
import { COMPANY_DEFAULT_PAGE_SIZE } from '#contract/market/company-params.ts'
import { toStatisticsScope } from '#server/market/company/company-scope.ts'
import type { CompanyListScopeResult } from '#server/market/company/list-scope-cache.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import {
  type CompanyListScope,
  parseCompanyListOrder,
  type StoredCompany,
  type StoredCompanyList,
} from '#server/market/company/queries/stored-list.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatDayNumber } from '#server/platform/text/day-number.ts'
import type { CachedCompanies, CompanyCounts } from './cached-companies.ts'
import { COMPANY_FACT_WINNER_FLAG, getCompanyFactIndexes, MISSING_DAY_NUMBER } from './company-fact-columns.ts'
import {
  getCompanyCounts,
  getCompanySortKeys,
  loadCompanyFactFilter,
  passesCompanyFactFilter,
} from './count-companies.ts'
import { countCompanyFacts } from './count-company-facts.ts'
import { getSortedPage } from './get-sorted-page.ts'

type CachedScope = {
  readonly cached: CachedCompanies
  readonly reportFacts: Int32Array | undefined
  readonly computedAt: string | null
}

export async function listCompaniesFromMemory(
  db: Db,
  listScope: CompanyListScope,
  { cached, reportFacts, computedAt }: CachedScope,
): Promise<{ readonly list: StoredCompanyList; readonly scoped: CompanyListScopeResult } | undefined> {
  const { search } = listScope
  const { columns, names, kinds } = cached
  const [filter, met] = await Promise.all([
    loadCompanyFactFilter(db, search, kinds),
    search.met ? companiesMetBy(db, listScope.userId) : undefined,
  ])
  const among = [
    search.project_winner_name__in && names.maskOfMatches(search.project_winner_name__in),
    search.check_sme ? names.smes : undefined,
    met && names.maskOf(met),
  ].filter((mask) => mask !== undefined)
  const order = parseCompanyListOrder(search)
  const counts = getCompanyCounts(cached, { filter, reportFacts, field: order.field })
  const matches = filterCompanies(counts, among, listScope)
  const size = search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE
  const { keys, isBehind } = getCompanySortKeys(order.field, counts, names)
  const page = getSortedPage(
    matches,
    { keys, isBehind, isDescending: order.isDescending },
    { size, from: ((search.page ?? 1) - 1) * size },
  )
  const companies = await loadCompanyRefs(
    db,
    page.map((company) => columns.companyIds[company]!),
  )
  const rows = page.flatMap((company): StoredCompany[] => {
    const ref = companies.get(columns.companyIds[company]!)
    const facts = getCompanyFactIndexes(columns, reportFacts, company).filter((fact) =>
      passesCompanyFactFilter(columns, filter, fact),
    )
    return ref ? [{ ...ref, ...figuresOf(cached, facts) }] : []
  })
  if (rows.length < page.length) return undefined
  let [wins, value, hasValue] = [0, 0, false]
  for (const company of matches) {
    wins += counts.wins[company]!
    const won = counts.value[company]!
    if (Number.isNaN(won)) continue
    value += won
    hasValue = true
  }
  return {
    list: { total: matches.length, wins, value_satang: hasValue ? String(value) : null, rows },
    scoped: { scope: toStatisticsScope(search, counts.scope, computedAt), years: cached.years },
  }
}

async function companiesMetBy(db: Db, userId: number): Promise<number[]> {
  const rows = await db.query<{ company_id: number }>(sql`
    select distinct x.company_id from bookmarks b join company_projects x on x.project_id = b.project_id where b.user_id = ${userId}::int`)
  return rows.map(({ company_id }) => company_id)
}

function filterCompanies(
  { projects, value }: CompanyCounts,
  among: readonly Uint8Array[],
  { search: { company_value__range: range } }: CompanyListScope,
): number[] {
  const [min, max] = [range?.min ?? null, range?.max ?? null].map((baht) =>
    baht === null ? null : Math.round(baht * 100),
  )
  const matches: number[] = []
  for (let company = 0; company < projects.length; company += 1) {
    if (projects[company] === 0 || !among.every((mask) => mask[company] === 1)) continue
    const won = value[company]!
    // An unknown value is NaN, which fails every bound.
    if (min !== null && min !== undefined && !(won >= min)) continue
    if (max !== null && max !== undefined && !(won <= max)) continue
    matches.push(company)
  }
  return matches
}

type CompanyFigures = Omit<StoredCompany, 'id' | 'name' | 'tax_id' | 'is_shared_name' | 'is_sme'>

function figuresOf({ columns, kinds }: CachedCompanies, facts: Int32Array): CompanyFigures {
  const { flags, method, department, decidedOn } = columns
  const departments = new Set<number>()
  const methods = new Map<number, number>()
  let lastWin = MISSING_DAY_NUMBER
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at]!
    if ((flags[fact]! & COMPANY_FACT_WINNER_FLAG) === 0) continue
    departments.add(kinds.departments[department[fact]!]!)
    methods.set(method[fact]!, (methods.get(method[fact]!) ?? 0) + 1)
    if (decidedOn[fact]! > lastWin) lastWin = decidedOn[fact]!
  }
  return {
    ...countCompanyFacts(columns, facts),
    departments: departments.size,
    top_method: mostFrequent(methods, kinds.texts),
    last_win_on: lastWin === MISSING_DAY_NUMBER ? null : formatDayNumber(lastWin),
  }
}

/** Returns the most frequent text, like SQL `mode()`, except that a tie goes to the text with the smallest number. */
function mostFrequent(counts: ReadonlyMap<number, number>, texts: ReadonlyMap<number, string>): string | null {
  const [top] = [...counts].sort(([a, n], [b, m]) => m - n || a - b)
  return top === undefined ? null : (texts.get(top[0]) ?? null)
}
