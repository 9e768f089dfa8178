import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'

/** The search of the page. */
export const readAgencyAddress = readOnce(parseAgencySearch)

/** Asks for the agency while the code of the page is on its way. */
export function startAgency({ params, ...place }: SearchPlace & { readonly params: { readonly code: string } }): void {
  startQuery(agencyQuery(params.code, readAgencyAddress(searchAt(place)).search))
}
