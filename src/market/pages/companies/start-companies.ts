import { startQuery } from '#src/api/http/query-client.ts'
import { readCompaniesAddress } from '#src/lib/company-address.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'

export function startCompanies(place: SearchPlace): void {
  startQuery(companyListQuery(readCompaniesAddress(searchAt(place)).search))
  startQuery(companyWinnersQuery)
}
