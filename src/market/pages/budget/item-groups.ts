import type { BudgetItem, BudgetLevel, BudgetSummary } from '#contract/market/budget.ts'
import { nameAt } from './scope/budget-text.ts'

export type ItemGroup = {
  readonly name: string
  /** Rows of the page. */
  readonly items: readonly BudgetItem[]
  /** Of all items found, not of the page; undefined where the breakdown does not show the group. */
  readonly total: { readonly n: number; readonly amount: number | null } | undefined
}

/** The rows of a page by their name at a level, in the order in which the names come up, each with its sums over all items found. */
export function groupItems(
  items: readonly BudgetItem[],
  level: BudgetLevel,
  breakdown: BudgetSummary['breakdown'],
): ItemGroup[] {
  const groups = new Map<string, BudgetItem[]>()
  for (const item of items) {
    const name = nameAt(item, level)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return [...groups].map(([name, own]) => ({
    name,
    items: own,
    total: breakdown.find((row) => row.name === name),
  }))
}
