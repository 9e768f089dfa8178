import { companyNameOf } from '#contract/company/company-address.ts'
import { companyDetailQuery } from '#src/api/company/company-details.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { type CompanyParams, companyPart, readCompanySearch } from './company-search.ts'

export function startCompany({ params, ...place }: SearchPlace & { readonly params: CompanyParams }): void {
  const { search } = readCompanySearch(searchAt(place))
  startQuery(companyDetailQuery(companyNameOf(companyPart(params)), search))
}
