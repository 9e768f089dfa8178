import { startQuery } from '#src/api/http/query-client.ts'
import { budgetYearsQuery } from '#src/market/api/budgets.ts'

/** Prefetches the list of years first, because it decides which year is shown. */
export function startBudget(): void {
  startQuery(budgetYearsQuery)
}
