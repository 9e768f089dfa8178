import { keepPreviousData } from '@tanstack/react-query'
import { contractEndListSchema } from '#contract/catalogue/contract-ends-list.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { pickReportFilters } from '#src/lib/report-url.ts'

export const contractEndsQuery = (search: ReportSearch) => {
  const { page } = search
  const query = formatReportSearch({ ...pickReportFilters(search), ...(page && { page }) })
  return apiQueryOptions('contract-ends', {
    queryKey: [...reportKeys.all, 'contract-ends', query],
    query,
    schema: contractEndListSchema,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
