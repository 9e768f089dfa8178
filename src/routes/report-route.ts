import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/**
 * The address stays flat text here, exactly as it was opened; the page gives it types (`readReportAddress`), which keeps the
 * filter catalogue out of what /login loads.
 */
export const reportRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report',
  validateSearch: (raw: Record<string, unknown>): FlatSearch => flatSearch(raw),
  loader: startsQueries(() => import('#src/pages/report/start-report.ts'), 'startReport'),
  component: lazyComponent(() => import('#src/pages/report/report-page.tsx'), 'ReportPage'),
})

/** Where the short links of the report lead; who is not signed in comes here after the login. */
export const shortLinkRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/s/$code',
  loader: startsQueries(() => import('#src/pages/short-link/start-short-link.ts'), 'startShortLink'),
  component: lazyComponent(() => import('#src/pages/short-link/short-link-page.tsx'), 'ShortLinkPage'),
})
