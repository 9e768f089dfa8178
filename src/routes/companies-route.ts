import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/** Flat text here, typed by the page (`readCompaniesAddress`). */
export const companiesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies',
  validateSearch: (raw: Record<string, unknown>): FlatSearch => flatSearch(raw),
  loader: startsQueries(() => import('#src/pages/companies/start-companies.ts'), 'startCompanies'),
  component: lazyComponent(() => import('#src/pages/companies/companies-page.tsx'), 'CompaniesPage'),
})
