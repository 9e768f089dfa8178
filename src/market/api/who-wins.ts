import { keepPreviousData } from '@tanstack/react-query'
import { unusualAwardPatternsSchema } from '#contract/market/unusual-award-patterns.ts'
import { buildSavedQuestionParams, whoWinsSchema, wonProjectsSchema } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { reportKeys } from '#src/api/http/keys.ts'

const STALE_TIME_MS = 60_000
const GC_TIME_MS = 30 * 60_000

export const whoWinsQuery = (search: ReportSearch) => {
  const query = buildSavedQuestionParams(search)
  return apiQueryOptions('who-wins', {
    queryKey: [...reportKeys.all, 'who-wins', query],
    query,
    schema: whoWinsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}

/** Omits the ranking, which does not affect the patterns, so that changing it causes no refetch. */
export const unusualAwardPatternsQuery = ({ rank: _rank, ...filters }: ReportSearch) => {
  const query = buildSavedQuestionParams(filters)
  return apiQueryOptions('who-wins/signs', {
    queryKey: [...reportKeys.all, 'odd-signs', query],
    query,
    schema: unusualAwardPatternsSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
    gcTime: GC_TIME_MS,
  })
}

export const wonProjectsQuery = (search: ReportSearch, rows: string, page: number) => {
  const { rank: _rank, ...filters } = search
  const query = { ...buildSavedQuestionParams(filters), rows, ...(page > 1 && { page: String(page) }) }
  return apiQueryOptions('who-wins/projects', {
    queryKey: [...reportKeys.all, 'won-projects', query],
    query,
    schema: wonProjectsSchema,
    staleTime: STALE_TIME_MS,
  })
}

export const getWhoWinsExportFile = (search: ReportSearch) => ({
  path: 'who-wins/file',
  query: buildSavedQuestionParams(search),
})
