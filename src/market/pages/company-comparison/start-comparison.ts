import { startQuery } from '#src/api/http/query-client.ts'
import { readCompaniesAddress } from '#src/lib/company-address.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { comparisonApiQuery, comparisonPairsQuery, comparisonQuery } from '#src/market/api/company-comparisons.ts'

/** Only prefetches with at least two companies; below that the page suggests pairs. */
export function startComparison(place: SearchPlace): void {
  const { search } = readCompaniesAddress(searchAt(place))
  if ((search.project_winner_name__in ?? []).length >= 2) startQuery(comparisonQuery(comparisonApiQuery(search)))
  else startQuery(comparisonPairsQuery)
}
