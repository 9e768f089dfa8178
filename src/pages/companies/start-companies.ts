import { parseCompanySearch } from '#contract/company-params.ts'
import { companyListQuery, companyWinnersQuery } from '#src/api/companies.ts'
import { startQuery } from '#src/api/query-client.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'

export function startCompanies(place: SearchPlace): void {
  startQuery(companyListQuery(parseCompanySearch(searchAt(place)).search))
  startQuery(companyWinnersQuery)
}
