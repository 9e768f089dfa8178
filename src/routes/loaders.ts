import { formatUsageLogSearch } from '#contract/account/usage-log.ts'
import { decodeNamePart } from '#contract/catalogue/company-name-part.ts'
import { cardQueryOf } from '#contract/team/board.ts'
import { calendarQueryOf } from '#contract/team/calendar.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { readUsageSearch } from '#src/account/pages/usage-log/use-usage-address.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { prefetchDocumentFile } from '#src/documents/api/document-file.ts'
import { documentQuery } from '#src/documents/api/documents.ts'
import { readCompanyListSearch } from '#src/lib/company-address.ts'
import { readReportAddress, reportSearchOf } from '#src/lib/report-address.ts'
import { flatSearchOf } from '#src/lib/search-text.ts'
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
 * skeletons and report errors. Routes have no `loaderDeps`: a changed search is fetched by the screen's own queries,
 * which keep the previous data.
 */

type LoaderContext<Params = object> = {
  readonly context: RouterContext
  readonly location: { readonly search: object }
  readonly params: Params
}

export function reportLoader({ context: { queryClient }, location }: LoaderContext): void {
  prefetchReport(queryClient, reportSearchOf(readReportAddress(flatSearchOf(location))))
}

export function shortLinkLoader({ context: { queryClient }, params }: LoaderContext<{ readonly code: string }>): void {
  startQuery(queryClient, shortLinkSearchQuery(params.code))
}

export function projectLoader({ context: { queryClient }, params }: LoaderContext<{ readonly id: string }>): void {
  startQuery(queryClient, projectDetailQuery(params.id))
}

export function documentLoader({
  context: { queryClient },
  params,
}: LoaderContext<{ readonly id: string; readonly doc: string }>): void {
  startQuery(queryClient, documentQuery(params.doc))
  void prefetchDocumentFile(params.doc)
  // The viewer is larger than most documents, so it loads in parallel with the first requests.
  import('unpdf/pdfjs').catch(() => undefined)
}

export function watchLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { tab, ledger, project, lesson } = readWatchAddress(flatSearchOf(location))
  startQuery(queryClient, keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) startQuery(queryClient, lessonQuery(lesson))
  if (tab === 'hidden') startQuery(queryClient, exclusionLedgerQuery(ledger))
  if (tab === 'why' && project !== undefined) startQuery(queryClient, matchExplanationQuery(project))
}

export function calendarLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { search } = readCalendarAddress(flatSearchOf(location))
  const range = calendarRangeAround(search.day ?? bangkokToday(serverNow()))
  startQuery(queryClient, calendarQuery(range, calendarQueryOf(search)))
}

export function boardLoader({ context: { queryClient }, location }: LoaderContext): void {
  startQuery(queryClient, pursuitListQuery(cardQueryOf(readBoardAddress(flatSearchOf(location)).search)))
  startQuery(queryClient, pursuitSettingsQuery)
}

export function resultsLoader({ context: { queryClient }, location }: LoaderContext): void {
  startQuery(queryClient, resultsQuery(readResultsAddress(flatSearchOf(location)).search))
}

export function companiesLoader({ context: { queryClient }, location }: LoaderContext): void {
  startQuery(queryClient, companyListQuery(readCompanyListSearch(flatSearchOf(location)).search))
  startQuery(queryClient, companyWinnersQuery)
}

function prefetchCompany({ context: { queryClient }, params, location }: LoaderContext<CompanyPathParams>): void {
  const { search } = readCompanyPageSearch(flatSearchOf(location))
  startQuery(queryClient, companyDetailQuery(decodeNamePart(companyNameParam(params)), search))
}

type NameParams = Extract<CompanyPathParams, { readonly name: string }>
type SegmentParams = Exclude<CompanyPathParams, NameParams>

export const companyLoader = (context: LoaderContext<NameParams>): void => prefetchCompany(context)
export const companySlashLoader = (context: LoaderContext<SegmentParams>): void => prefetchCompany(context)

export function agencyLoader({
  context: { queryClient },
  params,
  location,
}: LoaderContext<{ readonly code: string }>): void {
  startQuery(queryClient, agencyQuery(params.code, readAgencySearch(flatSearchOf(location)).search))
}

export function companyComparisonLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { search } = readCompanyListSearch(flatSearchOf(location))
  // With fewer than two companies the page suggests pairs.
  if ((search.project_winner_name__in ?? []).length < 2) startQuery(queryClient, comparisonPairsQuery)
  else startQuery(queryClient, companyComparisonQuery(comparisonApiQuery(search)))
}

export function budgetLoader({ context: { queryClient } }: LoaderContext): void {
  // The list of years decides which year is shown.
  startQuery(queryClient, budgetYearsQuery)
}

export function usageLogLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { search } = readUsageSearch(flatSearchOf(location))
  startQuery(queryClient, usageLogPageQuery(formatUsageLogSearch(search)))
}
