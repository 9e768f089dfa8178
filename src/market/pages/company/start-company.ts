import { decodeNamePart } from '#contract/catalogue/company-address.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { type SearchLocation, searchAt } from '#src/lib/search-text.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { type CompanyParams, companyPart, readCompanySearch } from './company-search.ts'

export function startCompany({ params, ...location }: SearchLocation & { readonly params: CompanyParams }): void {
  const { search } = readCompanySearch(searchAt(location))
  startQuery(companyDetailQuery(decodeNamePart(companyPart(params)), search))
}
