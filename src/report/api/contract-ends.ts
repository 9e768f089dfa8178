import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { contractEndsSchema } from '#contract/catalogue/contract-ends-list.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { reportKeys } from '#src/api/http/keys.ts'
import { pickReportFilters } from '#src/lib/report-address.ts'

const FRESH_MS = 60_000

export const contractEndsQuery = (search: ReportSearch) => {
  const { page } = search
  const query = formatReportSearch({ ...pickReportFilters(search), ...(page && { page }) })
  return queryOptions({
    queryKey: reportKeys.contractEnds(query),
    queryFn: ({ signal }) => sendApiRequest('contract-ends', { query, schema: contractEndsSchema, signal }),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  })
}
