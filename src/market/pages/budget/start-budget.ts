import { startQuery } from '#src/api/http/query-client.ts'
import { budgetYearsQuery } from '#src/market/api/budgets.ts'

/** Prefetches the years first, because they decide which year is shown. */
export function startBudget(): void {
  startQuery(budgetYearsQuery)
}
