import { formatUsageLogSearch } from '#contract/account/usage-log.ts'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import { toBoardCardQuery } from '#contract/team/board.ts'
import { toCalendarQuery } from '#contract/team/calendar.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { parseUsageLogPageSearch } from '#src/account/pages/usage-log/use-usage-log-search.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { prefetchDocument } from '#src/documents/api/prefetch-document.ts'
import { parseCompanyListSearch } from '#src/lib/company-url.ts'
import { getFlatSearchParams } from '#src/lib/flat-search-params.ts'
import { parseReportUrlSearch, toReportSearch } from '#src/lib/report-url.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { agencyQuery } from '#src/market/api/agencies.ts'
import { budgetYearsQuery } from '#src/market/api/budgets.ts'
import { companyListQuery, companyWinnersQuery } from '#src/market/api/companies.ts'
import {
  buildComparisonApiParams,
  companyComparisonQuery,
  comparisonPairsQuery,
} from '#src/market/api/company-comparisons.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { parseAgencyPageSearch } from '#src/market/pages/agency/agency-search.ts'
import {
  type CompanyPathParams,
  getCompanyNameParam,
  parseCompanyPageSearch,
} from '#src/market/pages/company/company-search.ts'
import { excludedProjectsQuery, keywordStatsQuery, matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { keywordTrainingQuery } from '#src/matching/api/lessons.ts'
import { parseWatchListPageUrlState } from '#src/matching/pages/watch/watch-list-page-url.ts'
import { projectDetailQuery } from '#src/report/api/project-details.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import { prefetchReport } from '#src/report/pages/report/prefetch-report.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'
import { teamResultsQuery } from '#src/team/api/results.ts'
import { parseBoardUrlSearch } from '#src/team/pages/board/board-url.ts'
import { getCalendarRangeAround } from '#src/team/pages/calendar/calendar-days.ts'
import { parseCalendarUrlSearch } from '#src/team/pages/calendar/use-calendar-url-state.ts'
import { parseTeamResultsUrlSearch } from '#src/team/pages/results/team-results-url.ts'
import type { RouterContext } from './root-route.ts'

/*
 * Loaders start the first queries of a screen while its code loads. They do not wait for the responses, because screens
 * have skeletons and report errors. Routes have no `loaderDeps`: a changed search is fetched by the screen's own
 * queries, which keep the previous data.
 */

type LoaderContext<Params = object> = {
  readonly context: RouterContext
  readonly location: { readonly search: object }
  readonly params: Params
}

export function reportLoader({ context: { queryClient }, location }: LoaderContext): void {
  prefetchReport(queryClient, toReportSearch(parseReportUrlSearch(getFlatSearchParams(location))))
}

export function shortLinkLoader({ context: { queryClient }, params }: LoaderContext<{ readonly code: string }>): void {
  startQueryInBackground(queryClient, shortLinkSearchQuery(params.code))
}

export function projectLoader({ context: { queryClient }, params }: LoaderContext<{ readonly id: string }>): void {
  startQueryInBackground(queryClient, projectDetailQuery(params.id))
}

export function documentLoader({
  context: { queryClient },
  params,
}: LoaderContext<{ readonly id: string; readonly doc: string }>): void {
  prefetchDocument(queryClient, params.doc)
}

export function watchListPageLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { tab, ledger, project, lesson } = parseWatchListPageUrlState(getFlatSearchParams(location))
  startQueryInBackground(queryClient, keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) startQueryInBackground(queryClient, keywordTrainingQuery(lesson))
  if (tab === 'hidden') startQueryInBackground(queryClient, excludedProjectsQuery(ledger))
  if (tab === 'why' && project !== undefined) startQueryInBackground(queryClient, matchExplanationQuery(project))
}

export function calendarLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { search } = parseCalendarUrlSearch(getFlatSearchParams(location))
  const range = getCalendarRangeAround(search.day ?? getBangkokToday(getServerTime()))
  startQueryInBackground(queryClient, calendarQuery(range, toCalendarQuery(search)))
}

export function boardLoader({ context: { queryClient }, location }: LoaderContext): void {
  startQueryInBackground(
    queryClient,
    pursuitListQuery(toBoardCardQuery(parseBoardUrlSearch(getFlatSearchParams(location)).search)),
  )
  startQueryInBackground(queryClient, pursuitSettingsQuery)
}

export function teamResultsPageLoader({ context: { queryClient }, location }: LoaderContext): void {
  startQueryInBackground(queryClient, teamResultsQuery(parseTeamResultsUrlSearch(getFlatSearchParams(location)).search))
}

export function companiesLoader({ context: { queryClient }, location }: LoaderContext): void {
  startQueryInBackground(queryClient, companyListQuery(parseCompanyListSearch(getFlatSearchParams(location)).search))
  startQueryInBackground(queryClient, companyWinnersQuery)
}

function prefetchCompany({ context: { queryClient }, params, location }: LoaderContext<CompanyPathParams>): void {
  const { search } = parseCompanyPageSearch(getFlatSearchParams(location))
  startQueryInBackground(queryClient, companyDetailQuery(decodeNameFromUrlPath(getCompanyNameParam(params)), search))
}

type NameParams = Extract<CompanyPathParams, { readonly name: string }>
type SegmentParams = Exclude<CompanyPathParams, NameParams>

export const companyLoader = (context: LoaderContext<NameParams>): void => prefetchCompany(context)
export const companySegmentsLoader = (context: LoaderContext<SegmentParams>): void => prefetchCompany(context)

export function agencyLoader({
  context: { queryClient },
  params,
  location,
}: LoaderContext<{ readonly code: string }>): void {
  startQueryInBackground(
    queryClient,
    agencyQuery(params.code, parseAgencyPageSearch(getFlatSearchParams(location)).search),
  )
}

export function companyComparisonLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { search } = parseCompanyListSearch(getFlatSearchParams(location))
  // With fewer than two companies to compare, the page suggests pairs.
  if ((search.project_winner_name__in ?? []).length < 2) startQueryInBackground(queryClient, comparisonPairsQuery)
  else startQueryInBackground(queryClient, companyComparisonQuery(buildComparisonApiParams(search)))
}

export function budgetLoader({ context: { queryClient } }: LoaderContext): void {
  // Load only the list of years, which decides which year the page shows.
  startQueryInBackground(queryClient, budgetYearsQuery)
}

export function usageLogLoader({ context: { queryClient }, location }: LoaderContext): void {
  const { search } = parseUsageLogPageSearch(getFlatSearchParams(location))
  startQueryInBackground(queryClient, usageLogPageQuery(formatUsageLogSearch(search)))
}
