import type { CompanyComparison, CompanyComparisonProjects } from '#contract/market/company-comparison.ts'
import {
  COMPANY_DEFAULT_PAGE_SIZE,
  type CompanySearch,
  MAX_COMPARED_COMPANIES,
} from '#contract/market/company-params.ts'
import { loadCompanyFiguresTime, toStatisticsScope } from '#server/market/company/company-scope.ts'
import { findCompanies } from '#server/market/company/find-company.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { CompanyComparisonScope } from './company-facts.ts'
import { findCompanyHeadToHeads } from './company-head-to-heads.ts'
import { loadCommonProjects, loadProjectNames } from './compared-project-queries.ts'
import { loadCompanyComparisonFigures } from './comparison-figures.ts'
import type { CompanyComparisonMatrixCell } from './comparison-input.ts'
import {
  presentCommonProject,
  presentCompanyComparisonMix,
  presentCompanyHeadToHeads,
  presentComparedCompany,
  presentComparedDepartments,
  type RequestedCompany,
} from './present-comparison.ts'

/** The first five companies in the URL, without duplicates. */
export type ComparedCompanies = {
  readonly companies: readonly RequestedCompany[]
  readonly unknown: CompanyComparison['unknown']
  readonly left_out: string[]
}

export async function resolveComparedCompanies(db: Db, search: CompanySearch): Promise<ComparedCompanies> {
  const names = search.project_winner_name__in ?? []
  const comparedNames = names.slice(0, MAX_COMPARED_COMPANIES)
  const results = comparedNames.length === 0 ? [] : await findCompanies(db, comparedNames)
  const companies = new Map<number, RequestedCompany>()
  for (const { asked: name, company } of results) {
    if (company && !companies.has(company.id)) companies.set(company.id, { ...company, asked: name })
  }
  return {
    companies: [...companies.values()],
    unknown: results.flatMap(({ asked: name, company, similar }) =>
      company ? [] : [{ asked: name, similar: [...similar] }],
    ),
    left_out: names.slice(MAX_COMPARED_COMPANIES),
  }
}

type ComparisonContext = Pick<CompanyComparisonScope, 'search' | 'organisationId' | 'today'> & {
  readonly memory: CompanyFactCache | undefined
}

/** Compares the companies. Omits those without a match, so the response may contain fewer than two. */
export async function compareCompanies(
  db: Db,
  compared: ComparedCompanies,
  context: ComparisonContext,
): Promise<CompanyComparison> {
  const { companies } = compared
  const scope = { ...context, companyIds: companies.map(({ id }) => id) }
  const figures = await loadCompanyComparisonFigures(db, scope, context.memory)
  const common = await loadCommonProjects(db, figures.common, scope)
  const priced = [...new Set(figures.prices.map(({ project_id: id }) => id))]
  const names = await loadProjectNames(db, priced, context.organisationId)
  const count = companies.length
  return {
    companies: companies.map((company, index) =>
      presentComparedCompany(
        company,
        figures.summaries.find((summary) => summary.companyIndex === index),
      ),
    ),
    scope: toStatisticsScope(context.search, figures.scope, await loadCompanyFiguresTime(db)),
    has_meetings: figures.scope.coverage_full + figures.scope.coverage_names > 0,
    meetings: presentCompanyHeadToHeads(count, figures.meetings),
    common_projects: common.map((project) => presentCommonProject(project, scope.companyIds)),
    common_total: figures.common_total,
    prices: figures.prices.flatMap(({ companyIndex, ...price }) => {
      const project = names.get(price.project_id)
      return project ? [{ company: companyIndex, ...price, name: project.name, in_report: project.in_report }] : []
    }),
    prices_total: figures.prices_total,
    departments: presentComparedDepartments(count, figures.departments),
    departments_total: figures.departments_total,
    mix: presentCompanyComparisonMix(count, figures.mix),
    unknown: compared.unknown,
    left_out: compared.left_out,
  }
}

export async function findCompanyComparisonCellProjects(
  db: Db,
  { companies }: ComparedCompanies,
  { a, b, result }: CompanyComparisonMatrixCell,
  context: ComparisonContext,
): Promise<CompanyComparisonProjects> {
  const scope = { ...context, companyIds: companies.map(({ id }) => id) }
  const { page = 1, page_size: size = COMPANY_DEFAULT_PAGE_SIZE } = context.search
  const cell = { a: scope.companyIds.indexOf(a), b: scope.companyIds.indexOf(b), result }
  const { total, projectIds } = await findCompanyHeadToHeads(db, scope, cell, {
    limit: size,
    offset: (page - 1) * size,
    memory: context.memory,
  })
  const rows = await loadCommonProjects(db, projectIds, scope)
  return {
    total,
    page,
    page_size: size,
    results: rows.map((row) => ({ ...presentCommonProject(row, scope.companyIds), fiscal_year: row.fiscal_year })),
  }
}
