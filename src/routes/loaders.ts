import { formatUsageLogSearch, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { TeamResultsSearch } from '#contract/team/team-results.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { prefetchDocument } from '#src/documents/api/prefetch-document.ts'
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
import { type CompanyPathParams, getCompanyNameParam } from '#src/market/pages/company/company-search.ts'
import { excludedProjectsQuery, keywordStatsQuery, matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { keywordTrainingQuery } from '#src/matching/api/lessons.ts'
import { getExcludedProjectsUrlState, type WatchSearch } from '#src/matching/pages/watch/watch-search.ts'
import { projectDetailQuery } from '#src/report/api/project-details.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import { prefetchReport } from '#src/report/pages/report/prefetch-report.ts'
import { calendarQuery } from '#src/team/api/calendars.ts'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'
import { teamResultsQuery } from '#src/team/api/results.ts'
import { getCalendarRangeAround } from '#src/team/pages/calendar/calendar-days.ts'
import type { RouterContext } from './root-route.ts'

/*
 * Loaders start the first queries of a screen while its code loads, and those of a changed search. They do not wait for
 * the responses, because screens have skeletons, keep the previous data and report errors.
 */

type LoaderContext<Deps = object, Params = object> = {
  readonly context: RouterContext
  readonly deps: Deps
  readonly params: Params
}

export function reportLoader({ context: { queryClient }, deps }: LoaderContext<ReportSearch>): void {
  prefetchReport(queryClient, deps)
}

export function shortLinkLoader({
  context: { queryClient },
  params,
}: LoaderContext<object, { readonly code: string }>): void {
  startQueryInBackground(queryClient, shortLinkSearchQuery(params.code))
}

export function projectLoader({
  context: { queryClient },
  params,
}: LoaderContext<object, { readonly id: string }>): void {
  startQueryInBackground(queryClient, projectDetailQuery(params.id))
}

export function documentLoader({
  context: { queryClient },
  params,
}: LoaderContext<object, { readonly id: string; readonly doc: string }>): void {
  prefetchDocument(queryClient, params.doc)
}

export function watchListPageLoader({ context: { queryClient }, deps }: LoaderContext<WatchSearch>): void {
  const { tab = 'rules', project, lesson } = deps
  startQueryInBackground(queryClient, keywordStatsQuery)
  if (tab === 'rules' && lesson !== undefined) startQueryInBackground(queryClient, keywordTrainingQuery(lesson))
  if (tab === 'hidden') startQueryInBackground(queryClient, excludedProjectsQuery(getExcludedProjectsUrlState(deps)))
  if (tab === 'why' && project !== undefined) startQueryInBackground(queryClient, matchExplanationQuery(project))
}

export function calendarLoader({
  context: { queryClient },
  deps: { day, source },
}: LoaderContext<{ readonly day: string | undefined; readonly source: Readonly<Record<string, string>> }>): void {
  const range = getCalendarRangeAround(day ?? getBangkokToday(getServerTime()))
  startQueryInBackground(queryClient, calendarQuery(range, source))
}

export function boardLoader({
  context: { queryClient },
  deps,
}: LoaderContext<{ readonly query: Readonly<Record<string, string>> }>): void {
  startQueryInBackground(queryClient, pursuitListQuery(deps.query))
  startQueryInBackground(queryClient, pursuitSettingsQuery)
}

export function teamResultsPageLoader({ context: { queryClient }, deps }: LoaderContext<TeamResultsSearch>): void {
  startQueryInBackground(queryClient, teamResultsQuery(deps))
}

export function companiesLoader({ context: { queryClient }, deps }: LoaderContext<CompanySearch>): void {
  startQueryInBackground(queryClient, companyListQuery(deps))
  startQueryInBackground(queryClient, companyWinnersQuery)
}

function prefetchCompany({
  context: { queryClient },
  params,
  deps,
}: LoaderContext<CompanySearch, CompanyPathParams>): void {
  startQueryInBackground(queryClient, companyDetailQuery(decodeNameFromUrlPath(getCompanyNameParam(params)), deps))
}

type NameParams = Extract<CompanyPathParams, { readonly name: string }>
type SegmentParams = Exclude<CompanyPathParams, NameParams>

export const companyLoader = (context: LoaderContext<CompanySearch, NameParams>): void => prefetchCompany(context)
export const companySegmentsLoader = (context: LoaderContext<CompanySearch, SegmentParams>): void =>
  prefetchCompany(context)

export function agencyLoader({
  context: { queryClient },
  params,
  deps,
}: LoaderContext<AgencySearch, { readonly code: string }>): void {
  startQueryInBackground(queryClient, agencyQuery(params.code, deps))
}

export function companyComparisonLoader({ context: { queryClient }, deps }: LoaderContext<CompanySearch>): void {
  // With fewer than two companies to compare, the page suggests pairs.
  if ((deps.project_winner_name__in ?? []).length < 2) startQueryInBackground(queryClient, comparisonPairsQuery)
  else startQueryInBackground(queryClient, companyComparisonQuery(buildComparisonApiParams(deps)))
}

export function budgetLoader({ context: { queryClient } }: LoaderContext): void {
  // Load only the list of years, which decides which year the page shows.
  startQueryInBackground(queryClient, budgetYearsQuery)
}

export function usageLogLoader({ context: { queryClient }, deps }: LoaderContext<UsageLogSearch>): void {
  startQueryInBackground(queryClient, usageLogPageQuery(formatUsageLogSearch(deps)))
}
