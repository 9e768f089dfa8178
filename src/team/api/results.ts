import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { printResultsSearch, type ResultsSearch, resultRowsSchema, resultsSchema } from '#contract/team/results.ts'
import { request } from '#src/api/http/client.ts'
import type { FileAsk } from '#src/api/http/file-download.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'

/** Colleagues' changes come with the change poll, which makes these stale. */
const FRESH_MS = 60_000

const periodQuery = ({ date__range, all }: ResultsSearch) =>
  printResultsSearch({ ...(date__range ? { date__range } : {}), ...(all ? { all } : {}) })

/** Results of the period of a search. Those before stay, dimmed, while others are fetched. */
export function resultsQuery(search: ResultsSearch) {
  const query = periodQuery(search)
  return queryOptions({
    queryKey: pursuitKeys.results(query),
    queryFn: ({ signal }) => request('results', { query, schema: resultsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}

/** Pursuits behind the figure that a search names. */
export function resultRowsQuery({ by: _by, ...search }: ResultsSearch) {
  const query = printResultsSearch(search)
  return queryOptions({
    queryKey: pursuitKeys.resultRows(query),
    queryFn: ({ signal }) => request('results/rows', { query, schema: resultRowsSchema, signal }),
    staleTime: FRESH_MS,
  })
}

/** The results of a period as a workbook. */
export function resultsFile(
  search: ResultsSearch,
): Required<Pick<FileAsk, 'path' | 'query' | 'name' | 'whenSessionEnds'>> {
  const query = periodQuery(search)
  return {
    path: 'results/file',
    query,
    name: 'results',
    whenSessionEnds: () => request('results', { query, schema: resultsSchema }),
  }
}
