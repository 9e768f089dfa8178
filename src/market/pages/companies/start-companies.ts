import { startQuery } from '#src/api/http/query-client.ts'
import { readCompanyListSearch } from '#src/lib/company-address.ts'
import { flatSearchOf, type SearchLocation } from '#src/lib/search-text.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'

export function startCompanies(location: SearchLocation): void {
  startQuery(companyListQuery(readCompanyListSearch(flatSearchOf(location)).search))
  startQuery(companyWinnersQuery)
}
