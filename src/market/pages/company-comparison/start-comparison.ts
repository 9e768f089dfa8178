import { startQuery } from '#src/api/http/query-client.ts'
import { readCompaniesAddress } from '#src/lib/company-address.ts'
import { type SearchLocation, searchAt } from '#src/lib/search-text.ts'
import { comparisonApiQuery, comparisonPairsQuery, comparisonQuery } from '#src/market/api/company-comparisons.ts'

/** Prefetches only with at least two companies; with fewer the page suggests pairs. */
export function startComparison(location: SearchLocation): void {
  const { search } = readCompaniesAddress(searchAt(location))
  if ((search.project_winner_name__in ?? []).length >= 2) startQuery(comparisonQuery(comparisonApiQuery(search)))
  else startQuery(comparisonPairsQuery)
}
