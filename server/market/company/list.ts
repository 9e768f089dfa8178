import type { CompanyList, CompanyRef, CompanyRow } from '#contract/market/company.ts'
import { COMPANY_DEFAULT_PAGE_SIZE, MOST_COMPARED } from '#contract/market/company-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { pageLinks } from '#server/platform/route/page-links.ts'
import type { CompanyInput } from './company-input.ts'
import { bidFigures, coverageOf, discountFigures, type FactScope } from './company-scope.ts'
import type { ScopeAnswer } from './list-scope.ts'
import type { CompanyMemory } from './memory/company-memory.ts'
import { type ListScope, loadList, type StoredCompany } from './queries/list.ts'
import { findSimilar } from './queries/list-similar.ts'

type ListSource = {
  /** Asked for only where the memory does not answer. */
  readonly scopeOf: (asked: FactScope) => Promise<ScopeAnswer>
  /** Undefined where every question goes to the database. */
  readonly memory?: CompanyMemory | undefined
}

/** Parts of the answer that do not come from the list itself. `linkTo` prints the address of another page of the same search. */
type ListContext = ListSource & {
  readonly ignored: CompanyInput['ignored']
  readonly linkTo: (page: number) => string
}

/** What `GET /companies` answers. */
export async function companyList(
  db: Db,
  asked: ListScope,
  { scopeOf, memory, ignored, linkTo }: ListContext,
): Promise<CompanyList> {
  const { search } = asked
  const { list, scoped } = await findCompanies(db, asked, { scopeOf, memory })
  const { rows, total, wins, value_satang } = list
  const names = search.project_winner_name__in
  const page = search.page ?? 1
  const size = search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE
  return {
    links: pageLinks({ page, pageSize: size, total }, linkTo),
    total,
    page,
    page_size: size,
    results: presentCompanies(rows),
    totals: { wins, value: value_satang === null ? null : Number(value_satang) / 100 },
    scope: scoped.scope,
    similar: names && total === 0 && asked.isSampleOnly !== true ? await similarTo(db, names, memory) : [],
    years: [...scoped.years],
    ignored_parameters: [...ignored],
  }
}

/** A page of companies and what their scope says of itself. By SQL the two are counted at once, each on a connection of its own. */
export async function findCompanies(db: Db, asked: ListScope, { scopeOf, memory }: ListSource) {
  const remembered = await memory?.list(asked)
  if (remembered) return remembered
  const [list, scoped] = await Promise.all([loadList(db, asked), scopeOf(asked)])
  return { list, scoped }
}

/** Every part of every name is looked for in every name: 200 of them took 670 ms of the embedded database. */
async function similarTo(db: Db, names: readonly string[], memory: CompanyMemory | undefined): Promise<CompanyRef[]> {
  const few = names.slice(0, MOST_COMPARED)
  return (await memory?.similar(few)) ?? findSimilar(db, few)
}

export const presentCompanies = (rows: readonly StoredCompany[]): CompanyRow[] => rows.map(presentCompany)

/** The wire form of one row: an allow-list, so that a new column never leaks. */
function presentCompany(row: StoredCompany): CompanyRow {
  return {
    id: row.id,
    name: row.name,
    tax_id: row.tax_id,
    is_shared_name: row.is_shared_name,
    is_sme: row.is_sme,
    wins: row.wins,
    value: row.value_satang === null ? null : row.value_satang / 100,
    bids: bidFigures(row),
    discount: discountFigures(row),
    departments: row.departments,
    top_method: row.top_method,
    last_win_date: row.last_win_on,
    coverage: coverageOf(row),
  }
}
