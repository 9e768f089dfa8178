import { formatUsageLogSearch } from '#contract/account/usage-log.ts'
import { decodeNamePart } from '#contract/catalogue/company-address.ts'
import { cardQueryOf } from '#contract/team/board.ts'
import { calendarQueryOf } from '#contract/team/calendar.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { readUsageSearch } from '#src/account/pages/usage-log/use-usage-address.ts'
import { prefetchDocumentFile } from '#src/documents/api/document-file.ts'
import { documentQuery } from '#src/documents/api/documents.ts'
import { readCompanyListSearch } from '#src/lib/company-address.ts'
import { readReportAddress, reportSearchOf } from '#src/lib/report-address.ts'
import { toFlatSearch } from '#src/lib/search-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'
import { budgetYearsQuery } from '#src/market/api/budgets.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'
import {
  companyComparisonQuery,
  comparisonApiQuery,
  comparisonPairsQuery,
} from '#src/market/api/company-comparisons.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { readAgencySearch } from '#src/market/pages/agency/agency-search.ts'
import {
  type CompanyPathParams,
  companyNameParam,
  readCompanyPageSearch,
} from '#src/market/pages/company/company-search.ts'
import { exclusionLedgerQuery, keywordStatsQuery, matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { lessonQuery } from '#src/matching/api/lessons.ts'
import { readWatchAddress } from '#src/matching/pages/watch/watch-address.ts'
import { projectDetailQuery } from '#src/report/api/project-details.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import { prefetchReport } from '#src/report/pages/report/prefetch-report.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'
import { resultsQuery } from '#src/team/api/results.ts'
import { readBoardAddress } from '#src/team/pages/board/board-address.ts'
import { calendarRangeAround } from '#src/team/pages/calendar/calendar-days.ts'
import { readCalendarAddress } from '#src/team/pages/calendar/use-calendar-address.ts'
import { readResultsAddress } from '#src/team/pages/results/results-address.ts'
import type { RouterContext } from './root-route.ts'

/*
 * Loaders start the first queries of a screen while its code loads. They do not wait for them, because screens have
 * skeletons and report errors; and they do nothing on preload, because the usage log records requests. Routes have no
 * `loaderDeps`: a changed search is fetched by the screen's own queries, which keep the previous data.
 */

type LoaderContext<Params = object> = {
  readonly context: RouterContext
  readonly location: { readonly search: object }
  readonly params: Params
  readonly preload: boolean
}

export function reportLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (!preload) prefetchReport(queryClient, reportSearchOf(readReportAddress(toFlatSearch({ ...location.search }))))
}

export function shortLinkLoader({ context: { queryClient }, params }: LoaderContext<{ readonly code: string }>): void {
  void queryClient.prefetchQuery(shortLinkSearchQuery(params.code))
}

export function projectLoader({
  context: { queryClient },
  params,
  preload,
}: LoaderContext<{ readonly id: string }>): void {
  if (!preload) void queryClient.prefetchQuery(projectDetailQuery(params.id))
}

export function documentLoader({
  context: { queryClient },
  params,
  preload,
}: LoaderContext<{ readonly id: string; readonly doc: string }>): void {
  if (preload) return
  void queryClient.prefetchQuery(documentQuery(params.doc))
  void prefetchDocumentFile(params.doc)
}

export function watchLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (preload) return
  const { tab, ledger, project, lesson } = readWatchAddress(toFlatSearch({ ...location.search }))
  void queryClient.prefetchQuery(keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) void queryClient.prefetchQuery(lessonQuery(lesson))
  if (tab === 'hidden') void queryClient.prefetchQuery(exclusionLedgerQuery(ledger))
  if (tab === 'why' && project !== undefined) void queryClient.prefetchQuery(matchExplanationQuery(project))
}

export function calendarLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (preload) return
  const { search } = readCalendarAddress(toFlatSearch({ ...location.search }))
  const range = calendarRangeAround(search.day ?? bangkokToday(serverNow()))
  void queryClient.prefetchQuery(calendarQuery(range, calendarQueryOf(search)))
}

export function boardLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (preload) return
  void queryClient.prefetchQuery(
    pursuitListQuery(cardQueryOf(readBoardAddress(toFlatSearch({ ...location.search })).search)),
  )
  void queryClient.prefetchQuery(pursuitSettingsQuery)
}

export function resultsLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (!preload)
    void queryClient.prefetchQuery(resultsQuery(readResultsAddress(toFlatSearch({ ...location.search })).search))
}

export function companiesLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (preload) return
  void queryClient.prefetchQuery(companyListQuery(readCompanyListSearch(toFlatSearch({ ...location.search })).search))
  void queryClient.prefetchQuery(companyWinnersQuery)
}

function prefetchCompany({
  context: { queryClient },
  params,
  location,
  preload,
}: LoaderContext<CompanyPathParams>): void {
  if (preload) return
  const { search } = readCompanyPageSearch(toFlatSearch({ ...location.search }))
  void queryClient.prefetchQuery(companyDetailQuery(decodeNamePart(companyNameParam(params)), search))
}

type NameParams = Extract<CompanyPathParams, { readonly name: string }>
type SegmentParams = Exclude<CompanyPathParams, NameParams>

export const companyLoader = (context: LoaderContext<NameParams>): void => prefetchCompany(context)
export const companySlashLoader = (context: LoaderContext<SegmentParams>): void => prefetchCompany(context)

export function agencyLoader({
  context: { queryClient },
  params,
  location,
  preload,
}: LoaderContext<{ readonly code: string }>): void {
  if (!preload)
    void queryClient.prefetchQuery(
      agencyQuery(params.code, readAgencySearch(toFlatSearch({ ...location.search })).search),
    )
}

export function companyComparisonLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (preload) return
  const { search } = readCompanyListSearch(toFlatSearch({ ...location.search }))
  // With fewer than two companies the page suggests pairs.
  if ((search.project_winner_name__in ?? []).length < 2) void queryClient.prefetchQuery(comparisonPairsQuery)
  else void queryClient.prefetchQuery(companyComparisonQuery(comparisonApiQuery(search)))
}

export function budgetLoader({ context: { queryClient } }: LoaderContext): void {
  // The list of years decides which year is shown.
  void queryClient.prefetchQuery(budgetYearsQuery)
}

export function usageLogLoader({ context: { queryClient }, location, preload }: LoaderContext): void {
  if (preload) return
  const { search } = readUsageSearch(toFlatSearch({ ...location.search }))
  void queryClient.prefetchQuery(usageLogPageQuery(formatUsageLogSearch(search)))
}
