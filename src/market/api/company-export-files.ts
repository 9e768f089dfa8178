import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { companyDetailSchema, companyListSchema } from '#contract/market/company.ts'
import { companyComparisonSchema } from '#contract/market/company-comparison.ts'
import { type CompanySearch, formatCompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'
import { buildComparisonApiParams } from './company-comparisons.ts'

export function getCompanyListExportFile(search: CompanySearch): DownloadableFile {
  const { page: _page, page_size: _size, ...filters } = search
  const query = formatCompanySearch(filters)
  return {
    path: 'company-files/list',
    query,
    name: 'companies',
    onUnauthorized: () => sendApiRequest('companies', { query, schema: companyListSchema }),
  }
}

export function getCompanyExportFile(name: string, search: CompanySearch): DownloadableFile {
  const scope = formatCompanySearch({
    ...toStatisticsScopeSearch(search),
    ...(search.tin === undefined ? {} : { tin: search.tin }),
  })
  const namePart = encodeNameForUrlPath(name)
  return {
    path: 'company-files/company',
    query: { ...scope, name: namePart },
    name: 'company',
    onUnauthorized: () =>
      sendApiRequest(`companies/${encodeURIComponent(namePart)}`, { query: scope, schema: companyDetailSchema }),
  }
}

export function getComparisonExportFile(search: CompanySearch): DownloadableFile {
  const query = buildComparisonApiParams(search)
  return {
    path: 'company-comparison/file',
    query,
    name: 'company-comparison',
    onUnauthorized: () => sendApiRequest('company-comparison', { query, schema: companyComparisonSchema }),
  }
}
