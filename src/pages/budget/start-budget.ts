import { budgetYearsQuery } from '#src/api/company/budgets.ts'
import { startQuery } from '#src/api/http/query-client.ts'

/** The years first: they decide which year is shown. */
export function startBudget(): void {
  startQuery(budgetYearsQuery)
}
