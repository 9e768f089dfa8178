import type { ReportSearch } from '#contract/report/report-params.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { answerOf, queryClient, startQuery } from '#src/api/http/query-client.ts'
import { readReportAddress, reportSearchOf } from '#src/lib/report-address.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'
import { rowsOnTheirWay } from '#src/report/api/rows-first.ts'
import { PROVINCE_PARAMS, withinPackage } from './filter/package-provinces.ts'

/** Asks for the report at an address, and waits for its page. */
export const startReport = (place: SearchPlace): Promise<void> =>
  askReport(reportSearchOf(readReportAddress(searchAt(place))))

/**
 * Asks for the page of a search and the counts beside the filters, and waits for the page; never rejects. What is asked already is not asked again. Only
 * provinces have to wait for the account, which says which of them it holds. Of what is only being pressed, the page alone.
 */
export async function askReport(asked: ReportSearch, isPressed = false): Promise<void> {
  const search = PROVINCE_PARAMS.some((name) => asked[name]) ? await inPackage(asked) : asked
  // Also of rows that are there already: they are still to be drawn.
  const page = rowsOnTheirWay(answerOf(reportPageQuery(search)))
  if (!isPressed) startQuery(reportFacetsQuery(search))
  await page
}

async function inPackage(asked: ReportSearch): Promise<ReportSearch> {
  const { areasWithProvinces } = await queryClient.query({ ...organisationQuery, staleTime: 'static' })
  return withinPackage(asked, areasWithProvinces).search
}
