import type { BudgetItem, BudgetLevel, BudgetSummary } from '#contract/market/budget.ts'
import { nameAt } from './scope/budget-text.ts'

export type ItemGroup = {
  readonly name: string
  readonly items: readonly BudgetItem[]
  /** Total over all matching items, not only this page; undefined when the breakdown lacks the group. */
  readonly total: { readonly n: number; readonly amount: number | null } | undefined
}

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
  return [...groups].map(([name, members]) => ({
    name,
    items: members,
    total: breakdown.find((row) => row.name === name),
  }))
}
