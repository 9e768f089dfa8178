import {
  companyComparisonPairsSchema,
  companyComparisonProjectsSchema,
  companyComparisonSchema,
  likelyBiddersSchema,
} from '#contract/market/company-comparison.ts'
import {
  type CompanySearch,
  formatCompanySearch,
  MAX_COMPARED_COMPANIES,
  toStatisticsScopeSearch,
} from '#contract/market/company-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'

const STALE_TIME_MS = 60_000

type Query = Readonly<Record<string, string>>

/** Returns the parameters that affect the result: the first five companies, the scope and `common`. */
export function buildComparisonApiParams(search: CompanySearch): Query {
  const { project_winner_name__in: names = [], common, project_criteria_for_consideration: criteria } = search
  return formatCompanySearch({
    ...toStatisticsScopeSearch(search),
    project_winner_name__in: names.slice(0, MAX_COMPARED_COMPANIES),
    ...(common === undefined ? {} : { common }),
    ...(criteria === undefined ? {} : { project_criteria_for_consideration: criteria }),
  })
}

export const getComparisonExportFile = (search: CompanySearch): DownloadableFile => ({
  path: 'company-comparison/file',
  query: buildComparisonApiParams(search),
  name: 'company-comparison',
})

export const companyComparisonQuery = (query: Query) =>
  apiQueryOptions('company-comparison', {
    queryKey: ['company-comparison', 'of', query],
    query,
    schema: companyComparisonSchema,
    staleTime: STALE_TIME_MS,
  })

export const COMPANY_HEAD_TO_HEAD_RESULT_CODES = ['met', 'a_won', 'b_won', 'others_won', 'undecided'] as const
export type CompanyHeadToHeadResultCode = (typeof COMPANY_HEAD_TO_HEAD_RESULT_CODES)[number]
type CompanyHeadToHeadProjectsFilter = {
  readonly a: number
  readonly b: number
  readonly result: CompanyHeadToHeadResultCode
  readonly page: number
}

export const companyHeadToHeadProjectsQuery = (
  comparison: Query,
  { a, b, result, page }: CompanyHeadToHeadProjectsFilter,
) => {
  const query = { ...comparison, a: String(a), b: String(b), result, ...(page === 1 ? {} : { page: String(page) }) }
  return apiQueryOptions('company-comparison/projects', {
    queryKey: ['company-comparison', 'projects', query],
    query,
    schema: companyComparisonProjectsSchema,
    staleTime: STALE_TIME_MS,
  })
}

export const comparisonPairsQuery = apiQueryOptions('company-comparison/pairs', {
  queryKey: ['company-comparison', 'pairs'],
  schema: companyComparisonPairsSchema,
  staleTime: 5 * STALE_TIME_MS,
})

export const likelyBiddersQuery = (projectId: string) =>
  apiQueryOptions('company-comparison/likely/:projectId', {
    queryKey: ['company-comparison', 'likely', projectId],
    params: { projectId },
    schema: likelyBiddersSchema,
    staleTime: STALE_TIME_MS,
  })
