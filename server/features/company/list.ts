import type { CompanyList, CompanyRow } from '#contract/company/company.ts'
import { COMPANY_DEFAULT_PAGE_SIZE, MOST_COMPARED } from '#contract/company/company-params.ts'
import type { Db } from '#server/engine/db.ts'
import { pageLinks } from '#server/route/page-links.ts'
import type { CompanyInput } from './company-input.ts'
import { bidFigures, coverageOf, discountFigures } from './company-scope.ts'
import type { ScopeAnswer } from './list-scope.ts'
import { type ListScope, loadList, type StoredCompany } from './queries/list.ts'
import { findSimilar } from './queries/list-similar.ts'

/** Parts of the answer that do not come from the list itself. `linkTo` prints the address of another page of the same search. */
type ListContext = {
  /** Counted meanwhile, on a connection of its own. */
  readonly scoped: Promise<ScopeAnswer>
  readonly ignored: CompanyInput['ignored']
  readonly linkTo: (page: number) => string
}

/** What `GET /companies` answers. */
export async function companyList(
  db: Db,
  asked: ListScope,
  { scoped, ignored, linkTo }: ListContext,
): Promise<CompanyList> {
  const { search } = asked
  const [{ rows, total, wins, value_satang }, { scope, years }] = await Promise.all([loadList(db, asked), scoped])
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
    scope,
    // Every part of every name is looked for in every name: 200 of them took 670 ms of the embedded database.
    similar:
      names && total === 0 && asked.isSampleOnly !== true ? await findSimilar(db, names.slice(0, MOST_COMPARED)) : [],
    years: [...years],
    ignored_parameters: [...ignored],
  }
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
