import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { memoizeLast, type SearchLocation, searchAt } from '#src/lib/search-text.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'

export const readAgencyAddress = memoizeLast(parseAgencySearch)

export function startAgency({
  params,
  ...location
}: SearchLocation & { readonly params: { readonly code: string } }): void {
  startQuery(agencyQuery(params.code, readAgencyAddress(searchAt(location)).search))
}
