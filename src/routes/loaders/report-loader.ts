import type { ReportSearch } from '#contract/report/report-params.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'
import { limitProvincesToSubscription } from '#src/report/pages/report/filter/limit-provinces-to-subscription.ts'
import type { LoaderContext } from '../lazy-loader.ts'

export function reportLoader({ context, deps }: LoaderContext<ReportSearch>) {
  const organisation = context.queryClient.getQueryData(organisationQuery.queryKey)
  const { search, outsideProvinces } = limitProvincesToSubscription(deps, organisation?.areasWithProvinces ?? {})
  // Before the guard has loaded the organisation, only a search without provinces is final.
  if (!organisation && outsideProvinces.length > 0) return []
  return [reportPageQuery(search), reportFacetsQuery(search)]
}
