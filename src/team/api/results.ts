import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { printResultsSearch, type ResultsSearch, resultRowsSchema, resultsSchema } from '#contract/team/results.ts'
import { request } from '#src/api/http/client.ts'
import type { FileRequest } from '#src/api/http/file-download.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

const FRESH_MS = 60_000

const periodQuery = ({ date__range, all }: ResultsSearch) =>
  printResultsSearch({ ...(date__range ? { date__range } : {}), ...(all ? { all } : {}) })

export function resultsQuery(search: ResultsSearch) {
  const query = periodQuery(search)
  return queryOptions({
    queryKey: pursuitKeys.results(query),
    queryFn: ({ signal }) => request('results', { query, schema: resultsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

export function resultRowsQuery({ by: _by, ...search }: ResultsSearch) {
  const query = printResultsSearch(search)
  return queryOptions({
    queryKey: pursuitKeys.resultRows(query),
    queryFn: ({ signal }) => request('results/rows', { query, schema: resultRowsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

export function resultsFile(
  search: ResultsSearch,
): Required<Pick<FileRequest, 'path' | 'query' | 'name' | 'onUnauthorized'>> {
  const query = periodQuery(search)
  return {
    path: 'results/file',
    query,
    name: 'results',
    onUnauthorized: () => request('results', { query, schema: resultsSchema }),
  }
}
