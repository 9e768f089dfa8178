import { companyDetailQuery } from '#src/api/company/company-details.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { companyNameOf } from '#src/lib/company-address.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { type CompanyParams, companyPart, readCompanySearch } from './company-search.ts'

export function startCompany({ params, ...place }: SearchPlace & { readonly params: CompanyParams }): void {
  const { search } = readCompanySearch(searchAt(place))
  startQuery(companyDetailQuery(companyNameOf(companyPart(params)), search))
}
