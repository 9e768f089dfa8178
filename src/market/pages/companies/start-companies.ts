import { startQuery } from '#src/api/http/query-client.ts'
import { readCompaniesAddress } from '#src/lib/company-address.ts'
import { type SearchLocation, searchAt } from '#src/lib/search-text.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'

export function startCompanies(location: SearchLocation): void {
  startQuery(companyListQuery(readCompaniesAddress(searchAt(location)).search))
  startQuery(companyWinnersQuery)
}
