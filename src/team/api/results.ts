import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  formatResultsSearch,
  type ResultsSearch,
  teamResultRowsSchema,
  teamResultsSchema,
} from '#contract/team/results.ts'
import { request } from '#src/api/http/client.ts'
import type { FileDownloadRequest } from '#src/api/http/file-download.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000

const periodQuery = ({ date__range, all }: ResultsSearch) =>
  formatResultsSearch({ ...(date__range ? { date__range } : {}), ...(all ? { all } : {}) })

export function resultsQuery(search: ResultsSearch) {
  const query = periodQuery(search)
  return queryOptions({
    queryKey: pursuitKeys.results(query),
    queryFn: ({ signal }) => request('results', { query, schema: teamResultsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export function resultRowsQuery({ by: _by, ...search }: ResultsSearch) {
  const query = formatResultsSearch(search)
  return queryOptions({
    queryKey: pursuitKeys.resultRows(query),
    queryFn: ({ signal }) => request('results/rows', { query, schema: teamResultRowsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export function resultsFileRequest(
  search: ResultsSearch,
): Required<Pick<FileDownloadRequest, 'path' | 'query' | 'name' | 'onUnauthorized'>> {
  const query = periodQuery(search)
  return {
    path: 'results/file',
    query,
    name: 'results',
    onUnauthorized: () => request('results', { query, schema: teamResultsSchema }),
  }
}
