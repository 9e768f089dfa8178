import { queryOptions } from '@tanstack/react-query'
import {
  comparisonPairsSchema,
  comparisonProjectsSchema,
  comparisonSchema,
  likelyBiddersSchema,
} from '#contract/market/company-comparison.ts'
import { type CompanySearch, figureScopeOf, MAX_COMPARED, printCompanySearch } from '#contract/market/company-params.ts'
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
  return printCompanySearch({
    ...figureScopeOf(search),
    project_winner_name__in: names.slice(0, MAX_COMPARED),
    ...(common === undefined ? {} : { common }),
    ...(criteria === undefined ? {} : { project_criteria_for_consideration: criteria }),
  })
}

export const comparisonQuery = (query: Query) =>
  queryOptions({
    queryKey: comparisonKeys.of(query),
    queryFn: ({ signal }) => request('company-comparison', { query, schema: comparisonSchema, signal }),
    staleTime: FRESH_MS,
  })

export const MEETING_RESULTS = ['met', 'a_won', 'b_won', 'others_won', 'undecided'] as const
export type MeetingResult = (typeof MEETING_RESULTS)[number]
export type MeetingRows = {
  readonly a: number
  readonly b: number
  readonly result: MeetingResult
  readonly page: number
}

export const comparisonProjectsQuery = (comparison: Query, { a, b, result, page }: MeetingRows) => {
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
