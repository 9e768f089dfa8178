import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { type CompanySearch, formatCompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'
import { buildComparisonApiParams } from './company-comparisons.ts'

export function getCompanyListExportFile(search: CompanySearch): DownloadableFile {
  const { page: _page, page_size: _size, ...filters } = search
  return { path: 'company-files/list', query: formatCompanySearch(filters), name: 'companies' }
}

export function getCompanyExportFile(name: string, search: CompanySearch): DownloadableFile {
  const scope = formatCompanySearch({
    ...toStatisticsScopeSearch(search),
    ...(search.tin === undefined ? {} : { tin: search.tin }),
  })
  const query = { ...scope, name: encodeNameForUrlPath(name) }
  return { path: 'company-files/company', query, name: 'company' }
}

export function getComparisonExportFile(search: CompanySearch): DownloadableFile {
  return { path: 'company-comparison/file', query: buildComparisonApiParams(search), name: 'company-comparison' }
}
