import { BUDGET_PARAMS, type BudgetSearch } from '#contract/budget-params.ts'
import { readFlatInput } from '#server/route/flat-input.ts'

export type BudgetInput = {
  readonly search: BudgetSearch
  /** Names that this version does not know; they did not filter. */
  readonly ignored: string[]
}

/** Reads the decoded query string. Throws `bad_input` naming each parameter that cannot be read or is given more than once. */
export function readBudgetInput(query: unknown): BudgetInput {
  const { search, ignored } = readFlatInput(BUDGET_PARAMS, query)
  return { search, ignored: [...ignored] }
}
