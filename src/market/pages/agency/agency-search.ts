import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'

export const readAgencyAddress = readOnce(parseAgencySearch)

export function startAgency({ params, ...place }: SearchPlace & { readonly params: { readonly code: string } }): void {
  startQuery(agencyQuery(params.code, readAgencyAddress(searchAt(place)).search))
}
