import type { BudgetItem, BudgetLevel, BudgetSummary } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { BUDGET_LEVEL_NAMES, formatBudgetAmount, getBudgetLevelName } from './scope/budget-text.ts'

export type BudgetItemGroup = {
  readonly name: string
  readonly title: string
  /** Totals of all matching items, not only those on this page, if the breakdown has the group. */
  readonly note: string
  readonly items: readonly BudgetItem[]
}

export function groupBudgetItems(
  items: readonly BudgetItem[],
  level: BudgetLevel,
  breakdown: BudgetSummary['breakdown'],
): BudgetItemGroup[] {
  return [...Map.groupBy(items, (item) => getBudgetLevelName(item, level))].map(([name, members]) => {
    const total = breakdown.find((row) => row.name === name)
    const onPage = formatCount(members.length)
    return {
      name,
      title: name || `ไม่ระบุ${BUDGET_LEVEL_NAMES[level]}`,
      note: total
        ? `รวม ${formatCount(total.n)} รายการ · ${formatBudgetAmount(total.amount)} · ในหน้านี้ ${onPage}`
        : `ในหน้านี้ ${onPage} รายการ`,
      items: members,
    }
  })
}
