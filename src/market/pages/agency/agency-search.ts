import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, memoizeLast, type SearchLocation } from '#src/lib/search-text.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'

export const readAgencySearch = memoizeLast(parseAgencySearch)

export function startAgency({
  params,
  ...location
}: SearchLocation & { readonly params: { readonly code: string } }): void {
  startQuery(agencyQuery(params.code, readAgencySearch(flatSearchOf(location)).search))
}
