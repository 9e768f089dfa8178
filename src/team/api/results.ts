import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  formatTeamResultsSearch,
  type TeamResultsSearch,
  teamResultRowsSchema,
  teamResultsSchema,
} from '#contract/team/team-results.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import type { FileDownloadRequest } from '#src/api/http/file-download.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000

const periodQuery = ({ date__range, all }: TeamResultsSearch) =>
  formatTeamResultsSearch({ ...(date__range ? { date__range } : {}), ...(all ? { all } : {}) })

export function teamResultsQuery(search: TeamResultsSearch) {
  const query = periodQuery(search)
  return queryOptions({
    queryKey: pursuitKeys.results(query),
    queryFn: ({ signal }) => sendApiRequest('results', { query, schema: teamResultsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export function teamResultRowsQuery({ by: _by, ...search }: TeamResultsSearch) {
  const query = formatTeamResultsSearch(search)
  return queryOptions({
    queryKey: pursuitKeys.resultRows(query),
    queryFn: ({ signal }) => sendApiRequest('results/rows', { query, schema: teamResultRowsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export function getTeamResultsExportFile(
  search: TeamResultsSearch,
): Required<Pick<FileDownloadRequest, 'path' | 'query' | 'name' | 'onUnauthorized'>> {
  const query = periodQuery(search)
  return {
    path: 'results/file',
    query,
    name: 'results',
    onUnauthorized: () => sendApiRequest('results', { query, schema: teamResultsSchema }),
  }
}
