import sql from 'sql-template-tag'
import { COMPANY_DEFAULT_PAGE_SIZE } from '#contract/market/company-params.ts'
import { figureScope } from '#server/market/company/company-scope.ts'
import type { ScopeAnswer } from '#server/market/company/list-scope.ts'
import { loadCompanies } from '#server/market/company/queries/find.ts'
import { type ListScope, orderOf, type StoredCompany, type StoredList } from '#server/market/company/queries/list.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { countOrKeep, isIn, keysOf, readFilter } from './count-companies.ts'
import { countFacts } from './count-facts.ts'
import { factsOf, IS_WINNER, isoDay, NO_DAY } from './fact-columns.ts'
import type { Counted, HeldCompanies } from './held-companies.ts'
import { pageOf } from './page-of.ts'

type Held = {
  readonly held: HeldCompanies
  /** Facts of the organisation's report; undefined: all. */
  readonly watched: Int32Array | undefined
  readonly computedAt: string | null
}

/** Answers `loadList` and its scope from memory; undefined when a company of the page was deleted meanwhile. */
export async function answerList(
  db: Db,
  asked: ListScope,
  { held, watched, computedAt }: Held,
): Promise<{ readonly list: StoredList; readonly scoped: ScopeAnswer } | undefined> {
  const { search } = asked
  const { columns, names, kinds } = held
  const [filter, met] = await Promise.all([
    readFilter(db, search, kinds),
    search.met ? metBy(db, asked.userId) : undefined,
  ])
  const among = [
    search.project_winner_name__in && names.holding(search.project_winner_name__in),
    search.check_sme ? names.smes : undefined,
    met && names.maskOf(met),
  ].filter((mask) => mask !== undefined)
  const order = orderOf(search)
  const counted = countOrKeep(held, { filter, watched, field: order.field })
  const found = foundCompanies(counted, among, asked)
  const size = search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE
  const { keys, isBehind } = keysOf(order.field, counted, names)
  const page = pageOf(
    found,
    { keys, isBehind, isDescending: order.isDescending },
    { size, from: ((search.page ?? 1) - 1) * size },
  )
  const companies = await loadCompanies(
    db,
    page.map((company) => columns.companyIds[company]!),
  )
  const rows = page.flatMap((company): StoredCompany[] => {
    const ref = companies.get(columns.companyIds[company]!)
    const facts = factsOf(columns, watched, company).filter((fact) => isIn(columns, filter, fact))
    return ref ? [{ ...ref, ...figuresOf(held, facts) }] : []
  })
  if (rows.length < page.length) return undefined
  let [wins, value, isKnown] = [0, 0, false]
  for (const company of found) {
    wins += counted.wins[company]!
    const won = counted.value[company]!
    if (Number.isNaN(won)) continue
    value += won
    isKnown = true
  }
  return {
    list: { total: found.length, wins, value_satang: isKnown ? String(value) : null, rows },
    scoped: { scope: figureScope(search, counted.scope, computedAt), years: held.years },
  }
}

async function metBy(db: Db, userId: number): Promise<number[]> {
  const rows = await db.query<{ company_id: number }>(sql`
    select distinct x.company_id from bookmarks b join company_projects x on x.project_id = b.project_id where b.user_id = ${userId}::int`)
  return rows.map(({ company_id }) => company_id)
}

/** Returns ascending company numbers; a company must be set in every mask of `among`. */
function foundCompanies(
  { projects, value }: Counted,
  among: readonly Uint8Array[],
  { search: { company_value__range: range } }: ListScope,
): number[] {
  const [min, max] = [range?.min ?? null, range?.max ?? null].map((baht) =>
    baht === null ? null : Math.round(baht * 100),
  )
  const found: number[] = []
  for (let company = 0; company < projects.length; company += 1) {
    if (projects[company] === 0 || !among.every((mask) => mask[company] === 1)) continue
    const won = value[company]!
    // NaN (unknown value) fails every bound.
    if (min !== null && min !== undefined && !(won >= min)) continue
    if (max !== null && max !== undefined && !(won <= max)) continue
    found.push(company)
  }
  return found
}

type Figures = Omit<StoredCompany, 'id' | 'name' | 'tax_id' | 'is_shared_name' | 'is_sme'>

/** Figures of one company on the page; the largest companies have 15,000 facts. */
function figuresOf({ columns, kinds }: HeldCompanies, facts: Int32Array): Figures {
  const { flags, method, department, decidedOn } = columns
  const departments = new Set<number>()
  const methods = new Map<number, number>()
  let lastWin = NO_DAY
  for (let at = 0; at < facts.length; at += 1) {
    const fact = facts[at]!
    if ((flags[fact]! & IS_WINNER) === 0) continue
    departments.add(kinds.departments[department[fact]!]!)
    methods.set(method[fact]!, (methods.get(method[fact]!) ?? 0) + 1)
    if (decidedOn[fact]! > lastWin) lastWin = decidedOn[fact]!
  }
  return {
    ...countFacts(columns, facts),
    departments: departments.size,
    top_method: mostFrequent(methods, kinds.texts),
    last_win_on: lastWin === NO_DAY ? null : isoDay(lastWin),
  }
}

/** Like SQL `mode()`: ties go to the smallest number. */
function mostFrequent(counts: ReadonlyMap<number, number>, texts: ReadonlyMap<number, string>): string | null {
  const [top] = [...counts].sort(([a, n], [b, m]) => m - n || a - b)
  return top === undefined ? null : (texts.get(top[0]) ?? null)
}
