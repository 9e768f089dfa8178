import type { QueryClient } from '@tanstack/react-query'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'
import { limitProvincesToSubscription } from './filter/limit-provinces-to-subscription.ts'

export function prefetchReport(queryClient: QueryClient, requested: ReportSearch): void {
  const organisation = queryClient.getQueryData(organisationQuery.queryKey)
  const search = organisation
    ? limitProvincesToSubscription(requested, organisation.areasWithProvinces).search
    : requested
  startQueryInBackground(queryClient, reportPageQuery(search))
  startQueryInBackground(queryClient, reportFacetsQuery(search))
}
