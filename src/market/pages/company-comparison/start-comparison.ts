import { startQuery } from '#src/api/http/query-client.ts'
import { readCompanyListSearch } from '#src/lib/company-address.ts'
import { flatSearchOf, type SearchLocation } from '#src/lib/search-text.ts'
import {
  companyComparisonQuery,
  comparisonApiQuery,
  comparisonPairsQuery,
} from '#src/market/api/company-comparisons.ts'

/** Prefetches the comparison if the URL names at least two companies; with fewer the page suggests pairs. */
export function startComparison(location: SearchLocation): void {
  const { search } = readCompanyListSearch(flatSearchOf(location))
  if ((search.project_winner_name__in ?? []).length >= 2) startQuery(companyComparisonQuery(comparisonApiQuery(search)))
  else startQuery(comparisonPairsQuery)
}
