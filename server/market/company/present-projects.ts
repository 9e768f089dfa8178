import { isPersonalName } from '#contract/catalogue/natural-person.ts'
import type { CompanyProject, CompanyProjects } from '#contract/market/company.ts'
import {
  COMPANY_DEFAULT_PAGE_SIZE,
  COMPANY_PARAMS,
  COMPANY_PROJECT_SORT_FIELDS,
} from '#contract/market/company-params.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { buildPageLinks } from '#server/platform/route/page-links.ts'
import { throwParameterProblem, toFlatQueryParams } from '#server/platform/route/parse-query-params.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { parseCompanyInput } from './company-input.ts'
import { roundNullableShare } from './company-scope.ts'
import { type CompanyFigureRowFilter, parseCompanyFigureRowFilter } from './figure-row-filter.ts'
import type {
  CompanyProjectOrder,
  CompanyProjectSortField,
  StoredCompanyProject,
  StoredCompanyProjectPage,
} from './queries/stored-projects.ts'

/** Shown instead of the name of a natural person who won, for privacy. */
export const NATURAL_PERSON_TEXT = 'บุคคลธรรมดา'

const NEWEST_FIRST: CompanyProjectOrder = { field: 'decided_date', isDescending: true }

export type CompanyProjectsInput = ReturnType<typeof parseCompanyInput> & {
  readonly rows: CompanyFigureRowFilter
  readonly order: CompanyProjectOrder
  readonly page: number
  readonly pageSize: number
}

export function parseCompanyProjectsInput(query: unknown): CompanyProjectsInput {
  const { ordering, ...otherParams } = toFlatQueryParams(query)
  const input = parseCompanyInput(otherParams)
  const { page = 1, page_size: pageSize = COMPANY_DEFAULT_PAGE_SIZE } = input.search
  const order = ordering === undefined || ordering === '' ? NEWEST_FIRST : readOrder(ordering)
  const rows = parseCompanyFigureRowFilter(input.search.rows)
  if (!order || !rows)
    return throwParameterProblem(COMPANY_PARAMS, [
      ...(order ? [] : [{ name: 'ordering', value: ordering ?? '' }]),
      ...(rows ? [] : [{ name: 'rows', value: input.search.rows ?? '' }]),
    ])
  return { ...input, rows, order, page, pageSize }
}

function readOrder(text: string): CompanyProjectOrder | undefined {
  const isDescending = text.startsWith('-')
  const name = isDescending ? text.slice(1) : text
  const field: CompanyProjectSortField | undefined = COMPANY_PROJECT_SORT_FIELDS.find((candidate) => candidate === name)
  return field && { field, isDescending }
}

export function presentCompanyProjects(
  stored: StoredCompanyProjectPage,
  { page, pageSize }: Pick<CompanyProjectsInput, 'page' | 'pageSize'>,
  linkTo: (page: number) => string,
): CompanyProjects {
  return {
    links: buildPageLinks({ page, pageSize, total: stored.total }, linkTo),
    total: stored.total,
    page,
    page_size: pageSize,
    results: stored.rows.map(presentProject),
    totals: { wins: stored.wins, value: satangToBaht(stored.value_satang) },
  }
}

type Winner = { readonly winner_name: string | null; readonly winner_tin: string | null }

export function getPublicWinnerName({ winner_name: name, winner_tin: taxId }: Winner): string | null {
  return name !== null && isPersonalName({ taxId, name }) ? NATURAL_PERSON_TEXT : name
}

function presentProject(row: StoredCompanyProject): CompanyProject {
  return {
    project_id: row.project_id,
    name: row.name,
    dept_name: row.dept_name,
    dept_sub_name: row.dept_sub_name,
    project_province: getProvinceName(row.project_province),
    fiscal_year: row.fiscal_year,
    method: row.method,
    method_type: row.method_type,
    criteria: row.criteria,
    status: row.status,
    movement: row.movement,
    budget: satangToBaht(row.budget_satang),
    estimate_budget: satangToBaht(row.estimate_satang),
    is_winner: row.is_winner,
    value: satangToBaht(row.value_satang),
    bid_price: satangToBaht(row.bid_satang),
    discount: toProjectDiscount(row.discount, row.is_against_budget),
    decided_date: row.decided_on,
    winner_name: getPublicWinnerName(row),
    winner_count: row.winner_count,
    bidders: row.bidders,
    in_report: row.in_report,
  }
}

export function toProjectDiscount(share: number | null, isAgainstBudget: boolean): CompanyProject['discount'] {
  const rate = roundNullableShare(share)
  return rate === null ? null : { rate, against: isAgainstBudget ? 'budget' : 'reference' }
}
