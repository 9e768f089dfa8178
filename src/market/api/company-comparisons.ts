import { queryOptions } from '@tanstack/react-query'
import {
  companyComparisonSchema,
  comparisonPairsSchema,
  comparisonProjectsSchema,
  likelyBiddersSchema,
} from '#contract/market/company-comparison.ts'
import {
  type CompanySearch,
  figureScopeOf,
  formatCompanySearch,
  MAX_COMPARED_COMPANIES,
} from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import { comparisonKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000

type Query = Readonly<Record<string, string>>

/**
 * Returns the parameters that affect the result: the first five companies, the scope and `common`. Omits view
 * parameters.
 */
export function comparisonApiQuery(search: CompanySearch): Query {
  const { project_winner_name__in: names = [], common, project_criteria_for_consideration: criteria } = search
  return formatCompanySearch({
    ...figureScopeOf(search),
    project_winner_name__in: names.slice(0, MAX_COMPARED_COMPANIES),
    ...(common === undefined ? {} : { common }),
    ...(criteria === undefined ? {} : { project_criteria_for_consideration: criteria }),
  })
}

export const companyComparisonQuery = (query: Query) =>
  queryOptions({
    queryKey: comparisonKeys.of(query),
    queryFn: ({ signal }) => request('company-comparison', { query, schema: companyComparisonSchema, signal }),
    staleTime: FRESH_MS,
  })

export const MEETING_RESULTS = ['met', 'a_won', 'b_won', 'others_won', 'undecided'] as const
export type MeetingResult = (typeof MEETING_RESULTS)[number]
export type MeetingProjectsFilter = {
  readonly a: number
  readonly b: number
  readonly result: MeetingResult
  readonly page: number
}

export const meetingProjectsQuery = (comparison: Query, { a, b, result, page }: MeetingProjectsFilter) => {
  const query = { ...comparison, a: String(a), b: String(b), result, ...(page === 1 ? {} : { page: String(page) }) }
  return queryOptions({
    queryKey: comparisonKeys.projects(query),
    queryFn: ({ signal }) =>
      request('company-comparison/projects', { query, schema: comparisonProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export const comparisonPairsQuery = queryOptions({
  queryKey: comparisonKeys.pairs,
  queryFn: ({ signal }) => request('company-comparison/pairs', { schema: comparisonPairsSchema, signal }),
  staleTime: 5 * FRESH_MS,
})

export const likelyBiddersQuery = (projectId: string) =>
  queryOptions({
    queryKey: comparisonKeys.likely(projectId),
    queryFn: ({ signal }) =>
      request(`company-comparison/likely/${encodeURIComponent(projectId)}`, { schema: likelyBiddersSchema, signal }),
    staleTime: FRESH_MS,
  })
