import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/** `?tab=overview|changes|bidders|files&from=<query of the report it was opened from>`; flat text here, typed by the page (`readProjectSearch`). */
export const projectRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/report/$id',
  validateSearch: (raw: Record<string, unknown>): FlatSearch => flatSearch(raw),
  loader: startsQueries(() => import('#src/pages/project/start-project.ts'), 'startProject'),
  component: lazyComponent(() => import('#src/pages/project/project-page.tsx'), 'ProjectPage'),
})
