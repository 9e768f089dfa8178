import type { Comparison, ComparisonProjects } from '#contract/market/company-comparison.ts'
import { COMPANY_DEFAULT_PAGE_SIZE, type CompanySearch, MOST_COMPARED } from '#contract/market/company-params.ts'
import { figureScope, loadComputedAt } from '#server/market/company/company-scope.ts'
import { findCompanies } from '#server/market/company/find-company.ts'
import type { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ComparisonScope } from './company-facts.ts'
import { loadCommonProjects, loadProjectNames } from './compared-project-queries.ts'
import type { Cell } from './comparison-input.ts'
import { loadFigures } from './figures.ts'
import { findMeetings } from './meetings.ts'
import {
  type AskedCompany,
  presentCompany,
  presentDepartments,
  presentMeetings,
  presentMix,
  presentProject,
} from './present-comparison.ts'

/** The first five companies of the address, without duplicates. */
export type Compared = {
  readonly companies: readonly AskedCompany[]
  readonly unknown: Comparison['unknown']
  readonly left_out: string[]
}

export async function resolveCompared(db: Db, search: CompanySearch): Promise<Compared> {
  const names = search.project_winner_name__in ?? []
  const asked = names.slice(0, MOST_COMPARED)
  const found = asked.length === 0 ? [] : await findCompanies(db, asked)
  const companies = new Map<number, AskedCompany>()
  for (const { asked: name, company } of found) {
    if (company && !companies.has(company.id)) companies.set(company.id, { ...company, asked: name })
  }
  return {
    companies: [...companies.values()],
    unknown: found.flatMap(({ asked: name, company, similar }) =>
      company ? [] : [{ asked: name, similar: [...similar] }],
    ),
    left_out: names.slice(MOST_COMPARED),
  }
}

type Asker = Pick<ComparisonScope, 'search' | 'organisationId' | 'isSampleOnly' | 'today'> & {
  readonly memory: CompanyMemory | undefined
}

/** The response omits companies without a match, so it may have fewer than two. */
export async function compare(db: Db, compared: Compared, asker: Asker): Promise<Comparison> {
  const { companies } = compared
  const scope = { ...asker, companyIds: companies.map(({ id }) => id) }
  const figures = await loadFigures(db, scope, asker.memory)
  const common = await loadCommonProjects(db, figures.common, scope)
  const priced = [...new Set(figures.prices.map(({ project_id: id }) => id))]
  const names = await loadProjectNames(db, priced, asker.organisationId)
  const count = companies.length
  return {
    companies: companies.map((company, place) =>
      presentCompany(
        company,
        figures.summaries.find((summary) => summary.place === place),
      ),
    ),
    scope: figureScope(asker.search, figures.scope, await loadComputedAt(db)),
    has_meetings: figures.scope.coverage_full + figures.scope.coverage_names > 0,
    meetings: presentMeetings(count, figures.meetings),
    common_projects: common.map((project) => presentProject(project, scope.companyIds)),
    common_total: figures.common_total,
    prices: figures.prices.flatMap(({ place, ...price }) => {
      const named = names.get(price.project_id)
      return named ? [{ company: place, ...price, name: named.name, in_report: named.in_report }] : []
    }),
    prices_total: figures.prices_total,
    departments: presentDepartments(count, figures.departments),
    departments_total: figures.departments_total,
    mix: presentMix(count, figures.mix),
    unknown: compared.unknown,
    left_out: compared.left_out,
  }
}

/** The total of the rows equals the matrix cell. */
export async function meetingsOf(
  db: Db,
  { companies }: Compared,
  { a, b, result }: Cell,
  asker: Asker,
): Promise<ComparisonProjects> {
  const scope = { ...asker, companyIds: companies.map(({ id }) => id) }
  const { page = 1, page_size: size = COMPANY_DEFAULT_PAGE_SIZE } = asker.search
  const cell = { a: scope.companyIds.indexOf(a), b: scope.companyIds.indexOf(b), result }
  const { total, projectIds } = await findMeetings(db, scope, cell, {
    limit: size,
    offset: (page - 1) * size,
    memory: asker.memory,
  })
  const rows = await loadCommonProjects(db, projectIds, scope)
  return {
    total,
    page,
    page_size: size,
    results: rows.map((row) => ({ ...presentProject(row, scope.companyIds), fiscal_year: row.fiscal_year })),
  }
}
