import { createRoute, redirect } from '@tanstack/react-router'
import { formatUsageLogSearch, parseUsageLogSearch, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { decodeNameFromUrlPath, encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { type AgencySearch, formatAgencySearch, parseAgencySearch } from '#contract/market/agency-params.ts'
import { formatBudgetSearch, parseBudgetSearch } from '#contract/market/budget-params.ts'
import { type CompanySearch, formatCompanySearch, parseCompanySearch } from '#contract/market/company-params.ts'
import { formatBoardSearch, parseBoardSearch, toBoardCardQuery } from '#contract/team/board.ts'
import { formatCalendarSearch, parseCalendarSearch, toCalendarQuery } from '#contract/team/calendar-params.ts'
import { formatTeamResultsSearch, parseTeamResultsSearch, type TeamResultsSearch } from '#contract/team/team-results.ts'
import type { SettingsSearch } from '#src/account/settings-address/settings-address.ts'
import { formatDocumentReaderSearch, parseDocumentReaderSearch } from '#src/documents/document-reader-search.ts'
import { formatProjectPageSearch, parseProjectPageSearch } from '#src/lib/project-url.ts'
import { pickReportRowsSearch, reportSearchOptions } from '#src/lib/report-url.ts'
import { pickSearch, typedSearch } from '#src/lib/typed-search.ts'
import { formatCompanyPageSearch, parseCompanyPageSearch } from '#src/market/pages/company/company-search.ts'
import { formatWatchSearch, parseWatchSearch, type WatchSearch } from '#src/matching/pages/watch/watch-search.ts'
import { lazyLoader } from './lazy-loader.ts'
import { lazyPage } from './lazy-page.ts'
import { appRoute, rootRoute } from './root-route.ts'
import { unframedRoutes } from './unframed-routes.ts'

/*
 * Routes with a loader have `preload: false`: hovering a link loads the page's code but starts no queries, because the
 * usage log records requests.
 */

const appRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/report',
    ...reportSearchOptions,
    preload: false,
    loaderDeps: ({ search }) => pickReportRowsSearch(search),
    loader: lazyLoader(() => import('./loaders/report-loader.ts'), 'reportLoader'),
    component: lazyPage(() => import('#src/report/pages/report/report-page.tsx'), 'ReportPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/report/$id',
    ...typedSearch(parseProjectPageSearch, formatProjectPageSearch),
    preload: false,
    loader: lazyLoader(() => import('./loaders/project-loaders.ts'), 'projectLoader'),
    component: lazyPage(() => import('#src/report/pages/project/project-page.tsx'), 'ProjectPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/report/$id/documents/$doc',
    ...typedSearch(parseDocumentReaderSearch, formatDocumentReaderSearch),
    preload: false,
    loader: lazyLoader(() => import('./loaders/project-loaders.ts'), 'documentLoader'),
    component: lazyPage(() => import('#src/documents/pages/document/document-reader-page.tsx'), 'DocumentReaderPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/coverage',
    component: lazyPage(() => import('#src/report/pages/announcement-coverage/coverage-page.tsx'), 'CoveragePage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/settings',
    validateSearch: ({ tab, part }: Record<string, unknown>): SettingsSearch => ({
      ...(typeof tab === 'string' && { tab }),
      ...(typeof part === 'string' && { part }),
    }),
    component: lazyPage(() => import('#src/account/pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/watch',
    ...typedSearch(parseWatchSearch, formatWatchSearch),
    preload: false,
    loaderDeps: ({ search }) => pickSearch<WatchSearch>(search),
    loader: lazyLoader(() => import('./loaders/watch-list-loader.ts'), 'watchListPageLoader'),
    component: lazyPage(() => import('#src/matching/pages/watch/watch-page.tsx'), 'WatchListPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/calendar',
    ...typedSearch(parseCalendarSearch, formatCalendarSearch),
    preload: false,
    loaderDeps: ({ search }) => ({ day: search.day, source: toCalendarQuery(search) }),
    loader: lazyLoader(() => import('./loaders/team-loaders.ts'), 'calendarLoader'),
    component: lazyPage(() => import('#src/team/pages/calendar/calendar-page.tsx'), 'CalendarPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/board',
    ...typedSearch(parseBoardSearch, formatBoardSearch),
    preload: false,
    loaderDeps: ({ search }) => ({ query: toBoardCardQuery(search) }),
    loader: lazyLoader(() => import('./loaders/team-loaders.ts'), 'boardLoader'),
    component: lazyPage(() => import('#src/team/pages/board/board-page.tsx'), 'BoardPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/results',
    ...typedSearch(parseTeamResultsSearch, formatTeamResultsSearch),
    preload: false,
    loaderDeps: ({ search: { date__range, all } }) => pickSearch<TeamResultsSearch>({ date__range, all }),
    loader: lazyLoader(() => import('./loaders/team-loaders.ts'), 'teamResultsPageLoader'),
    component: lazyPage(() => import('#src/team/pages/results/results-page.tsx'), 'TeamResultsPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/companies',
    ...typedSearch(parseCompanySearch, formatCompanySearch),
    preload: false,
    loaderDeps: ({ search }) => pickSearch<CompanySearch>(search),
    loader: lazyLoader(() => import('./loaders/market-loaders.ts'), 'companiesLoader'),
    component: lazyPage(() => import('#src/market/pages/companies/companies-page.tsx'), 'CompaniesPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/companies/$name',
    ...typedSearch(parseCompanyPageSearch, formatCompanyPageSearch),
    preload: false,
    loaderDeps: ({ search: { rows: _rows, page: _page, ...search } }) => pickSearch<CompanySearch>(search),
    loader: lazyLoader(() => import('./loaders/market-loaders.ts'), 'companyLoader'),
    component: lazyPage(() => import('#src/market/pages/company/company-page.tsx'), 'CompanyPage'),
  }),
  /**
   * Redirects names whose slashes a proxy decoded (C11). Requires two segments, because a bare splat may be empty and
   * would shadow /companies.
   */
  createRoute({
    getParentRoute: () => appRoute,
    path: '/companies/$first/$second/$',
    ...typedSearch(parseCompanyPageSearch, formatCompanyPageSearch),
    beforeLoad: ({ params: { first, second, _splat }, search }) => {
      const name = decodeNameFromUrlPath([first, second, _splat].filter(Boolean).join('/'))
      throw redirect({ to: '/companies/$name', params: { name: encodeNameForUrlPath(name) }, search, replace: true })
    },
  }),
  /**
   * Search: `?scope=watch&year_from=&year_to=&unit=<purchasing unit>&rank=&rows=<figure>`; `$code` is an e-GP code, or
   * the name of an agency without one.
   */
  createRoute({
    getParentRoute: () => appRoute,
    path: '/agencies/$code',
    ...typedSearch(parseAgencySearch, formatAgencySearch),
    preload: false,
    loaderDeps: ({ search: { rows: _rows, page: _page, ...search } }) => pickSearch<AgencySearch>(search),
    loader: lazyLoader(() => import('./loaders/market-loaders.ts'), 'agencyLoader'),
    component: lazyPage(() => import('#src/market/pages/agency/agency-page.tsx'), 'AgencyPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/company-comparison',
    ...typedSearch(parseCompanySearch, formatCompanySearch),
    preload: false,
    loaderDeps: ({ search }) => pickSearch<CompanySearch>(search),
    loader: lazyLoader(() => import('./loaders/market-loaders.ts'), 'companyComparisonLoader'),
    component: lazyPage(
      () => import('#src/market/pages/company-comparison/company-comparison-page.tsx'),
      'CompanyComparisonPage',
    ),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/budget',
    ...typedSearch(parseBudgetSearch, formatBudgetSearch),
    preload: false,
    loader: lazyLoader(() => import('./loaders/market-loaders.ts'), 'budgetLoader'),
    component: lazyPage(() => import('#src/market/pages/budget/budget-page.tsx'), 'BudgetPage'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: '/logs',
    ...typedSearch(parseUsageLogSearch, formatUsageLogSearch),
    preload: false,
    loaderDeps: ({ search }) => pickSearch<UsageLogSearch>(search),
    loader: lazyLoader(() => import('./loaders/usage-log-loader.ts'), 'usageLogLoader'),
    component: lazyPage(() => import('#src/account/pages/usage-log/usage-log-page.tsx'), 'UsageLogPage'),
  }),
  /** Target of the report's short links; signed-out users return here after login. */
  createRoute({
    getParentRoute: () => appRoute,
    path: '/s/$code',
    preload: false,
    loader: lazyLoader(() => import('./loaders/project-loaders.ts'), 'shortLinkLoader'),
    component: lazyPage(() => import('#src/report/pages/short-link/short-link-page.tsx'), 'ShortLinkPage'),
  }),
] as const

/** All routes; a test compares them with `SCREENS` in contract/screen.ts. */
export const routeTree = rootRoute.addChildren([...unframedRoutes, appRoute.addChildren(appRoutes)])
