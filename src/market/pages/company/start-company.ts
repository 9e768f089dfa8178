import { decodeNamePart } from '#contract/catalogue/company-name-part.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, type SearchLocation } from '#src/lib/search-text.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { type CompanyPathParams, companyNameParam, readCompanyPageSearch } from './company-search.ts'

export function startCompany({ params, ...location }: SearchLocation & { readonly params: CompanyPathParams }): void {
  const { search } = readCompanyPageSearch(flatSearchOf(location))
  startQuery(companyDetailQuery(decodeNamePart(companyNameParam(params)), search))
}
