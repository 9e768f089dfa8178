import { keepPreviousData } from '@tanstack/react-query'
import { companyListSchema, companySuggestionsSchema, recentCompanyWinsSchema } from '#contract/market/company.ts'
import { type CompanySearch, formatCompanySearch } from '#contract/market/company-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import type { DownloadableFile } from '#src/api/http/file-download.ts'

const STALE_TIME_MS = 30_000

export const companyListQuery = (search: CompanySearch) => {
  const query = formatCompanySearch(search)
  return apiQueryOptions('companies', {
    queryKey: ['companies', 'list', query],
    query,
    schema: companyListSchema,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })
}

export function getCompanyListExportFile(search: CompanySearch): DownloadableFile {
  const { page: _page, page_size: _size, ...filters } = search
  return { path: 'company-files/list', query: formatCompanySearch(filters), name: 'companies' }
}

export const MIN_COMPANY_SEARCH_LENGTH = 2

export const companySuggestionsQuery = (text: string) =>
  apiQueryOptions('company-suggestions', {
    queryKey: ['companies', 'suggestions', text],
    query: { q: text },
    schema: companySuggestionsSchema,
    enabled: text.length >= MIN_COMPANY_SEARCH_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: STALE_TIME_MS,
  })

export const companyWinnersQuery = apiQueryOptions('company-winners', {
  queryKey: ['companies', 'winners'],
  schema: recentCompanyWinsSchema,
  staleTime: STALE_TIME_MS,
})
