import { parseCompanySearch } from '#contract/company/company-params.ts'
import { companyListQuery, companyWinnersQuery } from '#src/api/company/companies.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'

export function startCompanies(place: SearchPlace): void {
  startQuery(companyListQuery(parseCompanySearch(searchAt(place)).search))
  startQuery(companyWinnersQuery)
}
