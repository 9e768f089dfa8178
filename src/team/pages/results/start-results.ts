import { parseResultsSearch } from '#contract/team/results.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { resultsQuery } from '#src/team/api/results.ts'

export const readResultsAddress = readOnce(parseResultsSearch)

export function startResults(place: SearchPlace): void {
  startQuery(resultsQuery(readResultsAddress(searchAt(place)).search))
}
