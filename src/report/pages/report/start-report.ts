import type { ReportSearch } from '#contract/report/report-params.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { answerOf, queryClient, startQuery } from '#src/api/http/query-client.ts'
import { readReportAddress, reportSearchOf } from '#src/lib/report-address.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'
import { rowsOnTheirWay } from '#src/report/api/rows-first.ts'
import { PROVINCE_PARAMS, withinPackage } from './filter/package-provinces.ts'

/** Prefetches the report at an address; resolves once its page has loaded. */
export const startReport = (place: SearchPlace): Promise<void> =>
  askReport(reportSearchOf(readReportAddress(searchAt(place))))

/**
 * Prefetches a search's page and filter counts, and waits for the page; never rejects. Only province filters wait for
 * the account, which defines the allowed provinces. On pointer down (`isPressed`) only the page is fetched.
 */
export async function askReport(asked: ReportSearch, isPressed = false): Promise<void> {
  const search = PROVINCE_PARAMS.some((name) => asked[name]) ? await inPackage(asked) : asked
  // Also for cached rows, which still have to be rendered.
  const page = rowsOnTheirWay(answerOf(reportPageQuery(search)))
  if (!isPressed) startQuery(reportFacetsQuery(search))
  await page
}

async function inPackage(asked: ReportSearch): Promise<ReportSearch> {
  const { areasWithProvinces } = await queryClient.query({ ...organisationQuery, staleTime: 'static' })
  return withinPackage(asked, areasWithProvinces).search
}
