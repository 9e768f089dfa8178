import { queryOptions } from '@tanstack/react-query'
import { reportIdsSchema } from '#contract/report/report.ts'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import { request } from '../http/client.ts'
import { reportKeys } from '../http/keys.ts'

/** The first ids of a search in its order (the server's limit is that of one action), for selecting across pages. */
export const reportIdsQuery = (search: ReportSearch) => {
  const { ordering } = search
  const query = printReportSearch({ ...reportFiltersOf(search), ...(ordering === undefined ? {} : { ordering }) })
  return queryOptions({
    queryKey: reportKeys.ids(query),
    queryFn: ({ signal }) => request('projects/ids', { query, schema: reportIdsSchema, signal }),
  })
}
