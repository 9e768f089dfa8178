import type { BudgetItem, BudgetLevel, BudgetSummary } from '#contract/market/budget.ts'
import { getBudgetLevelName } from './scope/budget-text.ts'

export type BudgetItemGroup = {
  readonly name: string
  readonly items: readonly BudgetItem[]
  /** Totals of all matching items, not only those on this page; undefined when the breakdown lacks the group. */
  readonly total: { readonly n: number; readonly amount: number | null } | undefined
}

export function groupBudgetItems(
  items: readonly BudgetItem[],
  level: BudgetLevel,
  breakdown: BudgetSummary['breakdown'],
): BudgetItemGroup[] {
  const groups = new Map<string, BudgetItem[]>()
  for (const item of items) {
    const name = getBudgetLevelName(item, level)
    const group = groups.get(name)
    if (group) group.push(item)
    else groups.set(name, [item])
  }
  return [...groups].map(([name, members]) => ({
    name,
    items: members,
    total: breakdown.find((row) => row.name === name),
  }))
}
