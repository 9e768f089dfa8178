import { companyNamePart } from '#contract/catalogue/company-address.ts'
import { companyDetailSchema, companyListSchema } from '#contract/market/company.ts'
import { comparisonSchema } from '#contract/market/company-comparison.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import type { OfferedFile } from '#src/api/http/file-download.ts'
import { comparisonApiQuery } from './company-comparisons.ts'

export function companyListFile(search: CompanySearch): OfferedFile {
  const { page: _page, page_size: _size, ...asked } = search
  const query = printCompanySearch(asked)
  return {
    path: 'company-files/list',
    query,
    name: 'companies',
    whenSessionEnds: () => request('companies', { query, schema: companyListSchema }),
  }
}

/** `name`: as in the address. */
export function companyFile(name: string, search: CompanySearch): OfferedFile {
  const scope = printCompanySearch({
    ...figureScopeOf(search),
    ...(search.tin === undefined ? {} : { tin: search.tin }),
  })
  const part = companyNamePart(name)
  return {
    path: 'company-files/company',
    query: { ...scope, name: part },
    name: 'company',
    whenSessionEnds: () =>
      request(`companies/${encodeURIComponent(part)}`, { query: scope, schema: companyDetailSchema }),
  }
}

export function comparisonFile(search: CompanySearch): OfferedFile {
  const query = comparisonApiQuery(search)
  return {
    path: 'company-comparison/file',
    query,
    name: 'company-comparison',
    whenSessionEnds: () => request('company-comparison', { query, schema: comparisonSchema }),
  }
}
