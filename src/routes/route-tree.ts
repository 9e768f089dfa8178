import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
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
import { type FlatSearch, toFlatSearch } from '#src/lib/search-text.ts'
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
import { companyNameParam, readCompanyPageSearch } from '#src/market/pages/company/company-search.ts'
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
import { publicRoutes } from './public-routes.ts'
import { appRoute, rootRoute } from './root-route.ts'

/** Routes pass the search as flat text, which pages parse (`parseBudgetSearch`, `readReportAddress`, …). */
const validateSearch = (raw: Record<string, unknown>): FlatSearch => toFlatSearch(raw)

/*
 * Loaders start the first queries of a screen while its code loads. They do not wait for them, because screens have
 * skeletons and report errors; and they do nothing on preload, because the usage log records requests. There are no
 * `loaderDeps`: a changed search is fetched by the screen's own queries, which keep the previous data.
 */

const reportRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (!preload) prefetchReport(queryClient, reportSearchOf(readReportAddress(toFlatSearch(location.search))))
  },
  component: lazyRouteComponent(() => import('#src/report/pages/report/report-page.tsx'), 'ReportPage'),
})

/** Target of the report's short links; signed-out users return here after login. */
const shortLinkRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/s/$code',
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(shortLinkSearchQuery(params.code))
  },
  component: lazyRouteComponent(() => import('#src/report/pages/short-link/short-link-page.tsx'), 'ShortLinkPage'),
})

/** `?tab=overview|changes|bidders|files&from=<query of the report it was opened from>`. */
const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report/$id',
  validateSearch,
  loader: ({ context: { queryClient }, params, preload }) => {
    if (!preload) void queryClient.prefetchQuery(projectDetailQuery(params.id))
  },
  component: lazyRouteComponent(() => import('#src/report/pages/project/project-page.tsx'), 'ProjectPage'),
})

/** `?page=<number>&q=<search>&compare=<id of the older document, or auto>&passage=<a sentence of that page>`. */
const documentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report/$id/documents/$doc',
  validateSearch,
  loader: ({ context: { queryClient }, params, preload }) => {
    if (preload) return
    void queryClient.prefetchQuery(documentQuery(params.doc))
    void prefetchDocumentFile(params.doc)
  },
  component: lazyRouteComponent(() => import('#src/documents/pages/document/document-page.tsx'), 'DocumentPage'),
})

export type SettingsSearch = { readonly tab?: string }

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  validateSearch: ({ tab }: Record<string, unknown>): SettingsSearch => (typeof tab === 'string' ? { tab } : {}),
  component: lazyRouteComponent(() => import('#src/account/pages/settings/settings-page.tsx'), 'SettingsPage'),
})

/**
 * `?list=include|exclude|ai_include|ai_exclude|deptsub&group=<id>&q=&tab=rules|hidden|why` and parameters of the tabs.
 */
const watchRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/watch',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (preload) return
    const { tab, ledger, project, lesson } = readWatchAddress(toFlatSearch(location.search))
    void queryClient.prefetchQuery(keywordStatsQuery)
    if (tab === 'rules' && lesson !== undefined) void queryClient.prefetchQuery(lessonQuery(lesson))
    if (tab === 'hidden') void queryClient.prefetchQuery(exclusionLedgerQuery(ledger))
    if (tab === 'why' && project !== undefined) void queryClient.prefetchQuery(matchExplanationQuery(project))
  },
  component: lazyRouteComponent(() => import('#src/matching/pages/watch/watch-page.tsx'), 'WatchPage'),
})

/** `?view=week|agenda&day=<ISO date>&kind=<kinds>&saved=<id of a saved filter>`. */
const calendarRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/calendar',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (preload) return
    const { search } = readCalendarAddress(toFlatSearch(location.search))
    const range = calendarRangeAround(search.day ?? bangkokToday(serverNow()))
    void queryClient.prefetchQuery(calendarQuery(range, calendarQueryOf(search)))
  },
  component: lazyRouteComponent(() => import('#src/team/pages/calendar/calendar-page.tsx'), 'CalendarPage'),
})

/** `?owner=<members>&due=7|14|30&fold=<stages>&stage=<the phone's column>`. */
const boardRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/board',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (preload) return
    void queryClient.prefetchQuery(
      pursuitListQuery(cardQueryOf(readBoardAddress(toFlatSearch(location.search)).search)),
    )
    void queryClient.prefetchQuery(pursuitSettingsQuery)
  },
  component: lazyRouteComponent(() => import('#src/team/pages/board/board-page.tsx'), 'BoardPage'),
})

/** `?date__range=<from,to>|all=true&by=department|word|month&rows=<figure>&group=<grouping>&key=<its key>`. */
const resultsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/results',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (!preload) void queryClient.prefetchQuery(resultsQuery(readResultsAddress(toFlatSearch(location.search)).search))
  },
  component: lazyRouteComponent(() => import('#src/team/pages/results/results-page.tsx'), 'ResultsPage'),
})

const companiesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (preload) return
    void queryClient.prefetchQuery(companyListQuery(readCompanyListSearch(toFlatSearch(location.search)).search))
    void queryClient.prefetchQuery(companyWinnersQuery)
  },
  component: lazyRouteComponent(() => import('#src/market/pages/companies/companies-page.tsx'), 'CompaniesPage'),
})

const CompanyPage = lazyRouteComponent(() => import('#src/market/pages/company/company-page.tsx'), 'CompanyPage')

const companyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies/$name',
  validateSearch,
  loader: ({ context: { queryClient }, params, location, preload }) => {
    if (preload) return
    const { search } = readCompanyPageSearch(toFlatSearch(location.search))
    void queryClient.prefetchQuery(companyDetailQuery(decodeNamePart(companyNameParam(params)), search))
  },
  component: CompanyPage,
})

/**
 * Company page for names whose slashes were decoded on the way (C11); redirects to the proper URL. Requires two
 * segments, because a bare splat may be empty and would shadow /companies.
 */
const companySlashRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies/$first/$second/$',
  validateSearch,
  loader: ({ context: { queryClient }, params, location, preload }) => {
    if (preload) return
    const { search } = readCompanyPageSearch(toFlatSearch(location.search))
    void queryClient.prefetchQuery(companyDetailQuery(decodeNamePart(companyNameParam(params)), search))
  },
  component: CompanyPage,
})

/**
 * `?scope=watch&year_from=&year_to=&unit=<purchasing unit>&rank=&rows=<figure>`; `$code` is an e-GP code, or the name
 * of an agency without one.
 */
const agencyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/agencies/$code',
  validateSearch,
  loader: ({ context: { queryClient }, params, location, preload }) => {
    if (!preload)
      void queryClient.prefetchQuery(agencyQuery(params.code, readAgencySearch(toFlatSearch(location.search)).search))
  },
  component: lazyRouteComponent(() => import('#src/market/pages/agency/agency-page.tsx'), 'AgencyPage'),
})

const companyComparisonRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/company-comparison',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (preload) return
    const { search } = readCompanyListSearch(toFlatSearch(location.search))
    // With fewer than two companies the page suggests pairs.
    if ((search.project_winner_name__in ?? []).length < 2) void queryClient.prefetchQuery(comparisonPairsQuery)
    else void queryClient.prefetchQuery(companyComparisonQuery(comparisonApiQuery(search)))
  },
  component: lazyRouteComponent(
    () => import('#src/market/pages/company-comparison/company-comparison-page.tsx'),
    'CompanyComparisonPage',
  ),
})

const budgetRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/budget',
  validateSearch,
  loader: ({ context: { queryClient } }) => {
    // The list of years decides which year is shown.
    void queryClient.prefetchQuery(budgetYearsQuery)
  },
  component: lazyRouteComponent(() => import('#src/market/pages/budget/budget-page.tsx'), 'BudgetPage'),
})

const usageLogRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs',
  validateSearch,
  loader: ({ context: { queryClient }, location, preload }) => {
    if (preload) return
    const { search } = readUsageSearch(toFlatSearch(location.search))
    void queryClient.prefetchQuery(usageLogPageQuery(formatUsageLogSearch(search)))
  },
  component: lazyRouteComponent(() => import('#src/account/pages/usage-log/usage-log-page.tsx'), 'UsageLogPage'),
})

/** All routes; a test compares them with `SCREENS` in contract/screen.ts. */
export const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  appRoute.addChildren([
    reportRoute,
    projectRoute,
    documentRoute,
    settingsRoute,
    watchRoute,
    calendarRoute,
    boardRoute,
    resultsRoute,
    companiesRoute,
    companyRoute,
    companySlashRoute,
    agencyRoute,
    companyComparisonRoute,
    budgetRoute,
    usageLogRoute,
    shortLinkRoute,
  ]),
])
