import { budgetYearsQuery } from '#src/api/budgets.ts'
import { startQuery } from '#src/api/query-client.ts'

/** The years first: they decide which year is shown. */
export function startBudget(): void {
  startQuery(budgetYearsQuery)
}
