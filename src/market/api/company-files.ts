import { encodeNamePart } from '#contract/catalogue/company-name-part.ts'
import { companyDetailSchema, companyListSchema } from '#contract/market/company.ts'
import { companyComparisonSchema } from '#contract/market/company-comparison.ts'
import { type CompanySearch, figureScopeOf, formatCompanySearch } from '#contract/market/company-params.ts'
import { request } from '#src/api/http/client.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'
import { comparisonApiQuery } from './company-comparisons.ts'

export function companyListExportFile(search: CompanySearch): DownloadableFile {
  const { page: _page, page_size: _size, ...filters } = search
  const query = formatCompanySearch(filters)
  return {
    path: 'company-files/list',
    query,
    name: 'companies',
    onUnauthorized: () => request('companies', { query, schema: companyListSchema }),
  }
}

export function companyExportFile(name: string, search: CompanySearch): DownloadableFile {
  const scope = formatCompanySearch({
    ...figureScopeOf(search),
    ...(search.tin === undefined ? {} : { tin: search.tin }),
  })
  const namePart = encodeNamePart(name)
  return {
    path: 'company-files/company',
    query: { ...scope, name: namePart },
    name: 'company',
    onUnauthorized: () =>
      request(`companies/${encodeURIComponent(namePart)}`, { query: scope, schema: companyDetailSchema }),
  }
}

export function comparisonExportFile(search: CompanySearch): DownloadableFile {
  const query = comparisonApiQuery(search)
  return {
    path: 'company-comparison/file',
    query,
    name: 'company-comparison',
    onUnauthorized: () => request('company-comparison', { query, schema: companyComparisonSchema }),
  }
}
