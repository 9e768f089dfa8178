import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

const CompanyPage = lazyComponent(() => import('#src/pages/company/company-page.tsx'), 'CompanyPage')
const validateSearch = (raw: Record<string, unknown>): FlatSearch => flatSearch(raw)

/** Flat text here, typed by the page (`readCompanySearch`). */
export const companyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies/$name',
  validateSearch,
  loader: (place) => startsQueries(() => import('#src/pages/company/start-company.ts'), 'startCompany')(place),
  component: CompanyPage,
})

/**
 * The same page where something on the way has decoded the slashes of a name (C11); the page leads on to the other address. Two parts
 * before the rest: a rest alone may be empty, and would take /companies away from the list.
 */
export const companySlashRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/companies/$first/$second/$',
  validateSearch,
  loader: (place) => startsQueries(() => import('#src/pages/company/start-company.ts'), 'startCompany')(place),
  component: CompanyPage,
})
