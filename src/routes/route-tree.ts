import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, toFlatSearch } from '#src/lib/search-text.ts'
import { plainRoutes } from './plain-routes.ts'
import { appRoute, rootRoute } from './root-route.ts'
import { queryStarter } from './starts-queries.ts'

/**
 * Routes pass the search as flat text. Pages parse it (`parseBudgetSearch`, `readReportAddress`, …), so that /login
 * does not load the filter catalogues.
 */
const validateSearch = (raw: Record<string, unknown>): FlatSearch => toFlatSearch(raw)

const reportRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report',
  validateSearch,
  loader: queryStarter(() => import('#src/report/pages/report/start-report.ts'), 'startReport'),
  component: lazyComponent(() => import('#src/report/pages/report/report-page.tsx'), 'ReportPage'),
})

/** Target of the report's short links; signed-out users return here after login. */
const shortLinkRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/s/$code',
  loader: queryStarter(() => import('#src/report/pages/short-link/start-short-link.ts'), 'startShortLink'),
  component: lazyComponent(() => import('#src/report/pages/short-link/short-link-page.tsx'), 'ShortLinkPage'),
})

/** `?tab=overview|changes|bidders|files&from=<query of the report it was opened from>`. */
const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report/$id',
  validateSearch,
  loader: queryStarter(() => import('#src/report/pages/project/start-project.ts'), 'startProject'),
  component: lazyComponent(() => import('#src/report/pages/project/project-page.tsx'), 'ProjectPage'),
})

/** `?page=<number>&q=<search>&compare=<id of the older document, or auto>&passage=<a sentence of that page>`. */
const documentRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report/$id/documents/$doc',
  validateSearch,
  loader: queryStarter(() => import('#src/documents/pages/document/start-document.ts'), 'startDocument'),
  component: lazyComponent(() => import('#src/documents/pages/document/document-page.tsx'), 'DocumentPage'),
})

export type SettingsSearch = { readonly tab?: string }

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  validateSearch: ({ tab }: Record<string, unknown>): SettingsSearch => (typeof tab === 'string' ? { tab } : {}),
  loader: queryStarter(() => import('#src/account/pages/settings/start-settings.ts'), 'startSettings'),
  component: lazyComponent(() => import('#src/account/pages/settings/settings-page.tsx'), 'SettingsPage'),
})

/**
 * `?list=include|exclude|ai_include|ai_exclude|deptsub&group=<id>&q=&tab=rules|hidden|why` and parameters of the tabs.
 */
const watchRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/watch',
  validateSearch,
  loader: queryStarter(() => import('#src/matching/pages/watch/start-watch.ts'), 'startWatch'),
  component: lazyComponent(() => import('#src/matching/pages/watch/watch-page.tsx'), 'WatchPage'),
})

/** `?view=week|agenda&day=<ISO date>&kind=<kinds>&saved=<id of a saved filter>`. */
const calendarRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/calendar',
  validateSearch,
  loader: queryStarter(() => import('#src/team/pages/calendar/start-calendar.ts'), 'startCalendar'),
  component: lazyComponent(() => import('#src/team/pages/calendar/calendar-page.tsx'), 'CalendarPage'),
})

/** `?owner=<members>&due=7|14|30&fold=<stages>&stage=<the phone's column>`. */
const boardRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/board',
  validateSearch,
  loader: queryStarter(() => import('#src/team/pages/board/start-board.ts'), 'startBoard'),
  component: lazyComponent(() => import('#src/team/pages/board/board-page.tsx'), 'BoardPage'),
})

/** `?date__range=<from,to>|all=true&by=department|word|month&rows=<figure>&group=<grouping>&key=<its key>`. */
const resultsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/results',
  validateSearch,
  loader: queryStarter(() => import('#src/team/pages/results/start-results.ts'), 'startResults'),
  component: lazyComponent(() => import('#src/team/pages/results/results-page.tsx'), 'ResultsPage'),
})

const companiesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies',
  validateSearch,
  loader: queryStarter(() => import('#src/market/pages/companies/start-companies.ts'), 'startCompanies'),
  component: lazyComponent(() => import('#src/market/pages/companies/companies-page.tsx'), 'CompaniesPage'),
})

const CompanyPage = lazyComponent(() => import('#src/market/pages/company/company-page.tsx'), 'CompanyPage')

const companyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies/$name',
  validateSearch,
  loader: (context) =>
    queryStarter(() => import('#src/market/pages/company/start-company.ts'), 'startCompany')(context),
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
  loader: (context) =>
    queryStarter(() => import('#src/market/pages/company/start-company.ts'), 'startCompany')(context),
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
  loader: (context) => queryStarter(() => import('#src/market/pages/agency/agency-search.ts'), 'startAgency')(context),
  component: lazyComponent(() => import('#src/market/pages/agency/agency-page.tsx'), 'AgencyPage'),
})

const companyComparisonRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/company-comparison',
  validateSearch,
  loader: queryStarter(() => import('#src/market/pages/company-comparison/start-comparison.ts'), 'startComparison'),
  component: lazyComponent(
    () => import('#src/market/pages/company-comparison/company-comparison-page.tsx'),
    'CompanyComparisonPage',
  ),
})

const budgetRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/budget',
  validateSearch,
  loader: queryStarter(() => import('#src/market/pages/budget/start-budget.ts'), 'startBudget'),
  component: lazyComponent(() => import('#src/market/pages/budget/budget-page.tsx'), 'BudgetPage'),
})

const usageLogRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs',
  validateSearch,
  loader: queryStarter(() => import('#src/account/pages/usage-log/start-usage-log.ts'), 'startUsageLog'),
  component: lazyComponent(() => import('#src/account/pages/usage-log/usage-log-page.tsx'), 'UsageLogPage'),
})

/** All routes; a test compares them with `SCREENS` in contract/screen.ts. */
export const routeTree = rootRoute.addChildren([
  ...plainRoutes,
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
