import { createRoute } from '@tanstack/react-router'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { type FlatSearch, flatSearch } from '#src/lib/search-text.ts'
import { appRoute } from './app-route.ts'
import { startsQueries } from './starts-queries.ts'

/** Flat text here, typed by the page (`parseBudgetSearch`). */
export const budgetRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/budget',
  validateSearch: (raw: Record<string, unknown>): FlatSearch => flatSearch(raw),
  loader: startsQueries(() => import('#src/pages/budget/start-budget.ts'), 'startBudget'),
  component: lazyComponent(() => import('#src/pages/budget/budget-page.tsx'), 'BudgetPage'),
})
