import type { ReportSearch } from '#contract/report/report-params.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { queryClient, settleQuery, startQuery } from '#src/api/http/query-client.ts'
import { readReportAddress, reportSearchOf } from '#src/lib/report-address.ts'
import { flatSearchOf, type SearchLocation } from '#src/lib/search-text.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'
import { trackRowsRequest } from '#src/report/api/rows-first.ts'
import { limitProvincesToPackage, PROVINCE_PARAMS } from './filter/package-provinces.ts'

export const startReport = (location: SearchLocation): Promise<void> =>
  prefetchReport(reportSearchOf(readReportAddress(flatSearchOf(location))))

/**
 * Prefetches a search's page and filter counts, and waits for the page; never rejects. Only province filters wait for
 * the account, which defines the allowed provinces. On pointer down (`isPressed`) only the page is fetched.
 */
export async function prefetchReport(requested: ReportSearch, isPressed = false): Promise<void> {
  const search = PROVINCE_PARAMS.some((name) => requested[name]) ? await limitToOwnPackage(requested) : requested
  // Track cached rows too; they still have to be rendered.
  const page = trackRowsRequest(settleQuery(reportPageQuery(search)))
  if (!isPressed) startQuery(reportFacetsQuery(search))
  await page
}

async function limitToOwnPackage(requested: ReportSearch): Promise<ReportSearch> {
  const { areasWithProvinces } = await queryClient.query({ ...organisationQuery, staleTime: 'static' })
  return limitProvincesToPackage(requested, areasWithProvinces).search
}
