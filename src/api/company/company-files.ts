import { companyDetailSchema, companyListSchema } from '#contract/company/company.ts'
import { companyNamePart } from '#contract/company/company-address.ts'
import { comparisonSchema } from '#contract/company/company-comparison.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/company/company-params.ts'
import { request } from '../http/client.ts'
import type { FileAsk } from '../http/file-download.ts'
import { comparisonApiQuery } from './company-comparisons.ts'

/** A file of a company screen: what to ask for, and the beginning of the name under which the browser saves it. */
export type CompanyFile = Required<Pick<FileAsk, 'path' | 'query' | 'name' | 'whenSessionEnds'>>

/** The list of companies as it is searched, filtered and ordered, whatever page is shown. */
export function companyListFile(search: CompanySearch): CompanyFile {
  const { page: _page, page_size: _size, ...asked } = search
  const query = printCompanySearch(asked)
  return {
    path: 'company-files/list',
    query,
    name: 'companies',
    whenSessionEnds: () => request('companies', { query, schema: companyListSchema }),
  }
}

/** One company in the scope of its page. `name`: as it stands in the address. */
export function companyFile(name: string, search: CompanySearch): CompanyFile {
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

/** The comparison of the address. */
export function comparisonFile(search: CompanySearch): CompanyFile {
  const query = comparisonApiQuery(search)
  return {
    path: 'company-comparison/file',
    query,
    name: 'company-comparison',
    whenSessionEnds: () => request('company-comparison', { query, schema: comparisonSchema }),
  }
}
