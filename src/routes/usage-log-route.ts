import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/** Flat text here, typed by the page (`readUsageAddress`). */
export const usageLogRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/logs',
  validateSearch: (raw: Record<string, unknown>): FlatSearch => flatSearch(raw),
  loader: startsQueries(() => import('#src/pages/usage-log/start-usage-log.ts'), 'startUsageLog'),
  component: lazyComponent(() => import('#src/pages/usage-log/usage-log-page.tsx'), 'UsageLogPage'),
})
