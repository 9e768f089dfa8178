import { parseResultsSearch } from '#contract/team/results.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, memoizeLast, type SearchLocation } from '#src/lib/search-text.ts'
import { resultsQuery } from '#src/team/api/results.ts'

export const readResultsAddress = memoizeLast(parseResultsSearch)

export function startResults(location: SearchLocation): void {
  startQuery(resultsQuery(readResultsAddress(flatSearchOf(location)).search))
}
