import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { unusualAwardPatternsSchema } from '#contract/market/unusual-award-patterns.ts'
import { buildSavedQuestionParams, whoWinsSchema, wonProjectsSchema } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000
const CACHE_MS = 30 * 60_000

export const whoWinsQuery = (search: ReportSearch) => {
  const query = buildSavedQuestionParams(search)
  return queryOptions({
    queryKey: reportKeys.whoWins(query),
    queryFn: ({ signal }) => sendApiRequest('who-wins', { query, schema: whoWinsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: CACHE_MS,
  })
}

export const createUnusualAwardPatternsQuery = (path: string, query: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: reportKeys.patterns(path, query),
    queryFn: ({ signal }) => sendApiRequest(path, { query, schema: unusualAwardPatternsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
    gcTime: CACHE_MS,
  })
export type UnusualAwardPatternsQuery = ReturnType<typeof createUnusualAwardPatternsQuery>

/**
 * Loads the anomalies of a search. Omits the ranking, which does not affect them, so that changing it causes no
 * refetch.
 */
export const unusualAwardPatternsQuery = ({ rank: _rank, ...filters }: ReportSearch) =>
  createUnusualAwardPatternsQuery('who-wins/signs', buildSavedQuestionParams(filters))

export const wonProjectsQuery = (search: ReportSearch, rows: string, page: number) => {
  const { rank: _rank, ...filters } = search
  const query = { ...buildSavedQuestionParams(filters), rows, ...(page > 1 && { page: String(page) }) }
  return queryOptions({
    queryKey: reportKeys.wonProjects(query),
    queryFn: ({ signal }) => sendApiRequest('who-wins/projects', { query, schema: wonProjectsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export const getWhoWinsExportFile = (search: ReportSearch) => {
  const query = buildSavedQuestionParams(search)
  return {
    path: 'who-wins/file',
    query,
    onUnauthorized: () => sendApiRequest('who-wins', { query, schema: whoWinsSchema }),
  }
}
