import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/**
 * `?list=include|exclude|ai_include|ai_exclude|deptsub&group=<id>&q=&tab=rules|hidden|why` and what the tabs add; flat text here,
 * typed by the page (`readWatchAddress`).
 */
export const watchRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/watch',
  validateSearch: (raw: Record<string, unknown>): FlatSearch => flatSearch(raw),
  loader: startsQueries(() => import('#src/pages/watch/start-watch.ts'), 'startWatch'),
  component: lazyComponent(() => import('#src/pages/watch/watch-page.tsx'), 'WatchPage'),
})
