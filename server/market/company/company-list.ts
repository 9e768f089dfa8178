import type { CompanyList, CompanyRef, CompanyRow } from '#contract/market/company.ts'
import { COMPANY_DEFAULT_PAGE_SIZE, MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { findSimilarCompanies } from '#server/market/company/queries/list-similar.ts'
import {
  type CompanyListScope,
  loadStoredCompanyList,
  type StoredCompany,
} from '#server/market/company/queries/stored-list.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { buildPageLinks } from '#server/platform/route/page-links.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { CompanyInput } from './company-input.ts'
import { type CompanyFactScope, toBidderCoverage, toBidFigures, toDiscountFigures } from './company-scope.ts'
import type { CompanyListScopeResult } from './list-scope-cache.ts'

type ListSource = {
  readonly scopeOf: (factScope: CompanyFactScope) => Promise<CompanyListScopeResult>
  readonly memory?: CompanyFactCache | undefined
}

type ListContext = ListSource & {
  readonly ignored: CompanyInput['ignored']
  readonly linkTo: (page: number) => string
}

export async function loadCompanyList(
  db: Db,
  listScope: CompanyListScope,
  { scopeOf, memory, ignored, linkTo }: ListContext,
): Promise<CompanyList> {
  const { search } = listScope
  const { list, scoped } = await findCompanyPage(db, listScope, { scopeOf, memory })
  const { rows, total, wins, value_satang } = list
  const names = search.project_winner_name__in
  const page = search.page ?? 1
  const size = search.page_size ?? COMPANY_DEFAULT_PAGE_SIZE
  return {
    links: buildPageLinks({ page, pageSize: size, total }, linkTo),
    total,
    page,
    page_size: size,
    results: presentCompanies(rows),
    totals: { wins, value: value_satang === null ? null : Number(value_satang) / 100 },
    scope: scoped.scope,
    similar: names && total === 0 ? await findSimilarTo(db, names, memory) : [],
    years: [...scoped.years],
    ignored_parameters: [...ignored],
  }
}

export async function findCompanyPage(db: Db, listScope: CompanyListScope, { scopeOf, memory }: ListSource) {
  const page = await memory?.list(listScope)
  if (page) return page
  const [list, scoped] = await Promise.all([loadStoredCompanyList(db, listScope), scopeOf(listScope)])
  return { list, scoped }
}

/**
 * Finds companies with similar names. Uses only the first names, because every fragment is searched in every name: 200
 * names took 670 ms in the embedded database.
 */
async function findSimilarTo(
  db: Db,
  names: readonly string[],
  memory: CompanyFactCache | undefined,
): Promise<CompanyRef[]> {
  const firstNames = names.slice(0, MAX_COMPARED_COMPANIES)
  return (await memory?.similar(firstNames)) ?? (await findSimilarCompanies(db, firstNames))
}

export const presentCompanies = (rows: readonly StoredCompany[]): CompanyRow[] => rows.map(presentCompany)

function presentCompany(row: StoredCompany): CompanyRow {
  return {
    id: row.id,
    name: row.name,
    tax_id: row.tax_id,
    is_shared_name: row.is_shared_name,
    is_sme: row.is_sme,
    wins: row.wins,
    value: satangToBaht(row.value_satang),
    bids: toBidFigures(row),
    discount: toDiscountFigures(row),
    departments: row.departments,
    top_method: row.top_method,
    last_win_date: row.last_win_on,
    coverage: toBidderCoverage(row),
  }
}
