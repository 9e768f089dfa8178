import type { BudgetDetail, BudgetItemState, BudgetLink } from '#contract/market/budget.ts'
import { isBudgetLinkCountedInTotals } from '#src/market/api/budgets.ts'

export type BudgetProgressStep = {
  readonly key: 'budget' | 'draft' | 'invited' | 'awarded'
  readonly title: string
  readonly isDone: boolean
  readonly link: BudgetLink | undefined
}

const STEPS = [
  { key: 'draft', title: 'ร่าง TOR' },
  { key: 'invited', title: 'ประกาศเชิญชวน' },
  { key: 'awarded', title: 'ได้ผู้ชนะ' },
] as const
const REACHED: readonly BudgetItemState[] = ['draft', 'invited', 'awarded']

/** Returns which steps from budget to award the item's projects have reached (N6). Unconfirmed guesses do not count. */
export function getBudgetProgressSteps({ item, links }: BudgetDetail): BudgetProgressStep[] {
  const counting = links
    .filter(isBudgetLinkCountedInTotals)
    .toSorted((a, b) => REACHED.indexOf(b.state) - REACHED.indexOf(a.state))
  return [
    { key: 'budget', title: `ได้งบปี ${item.fiscal_year}`, isDone: true, link: undefined },
    ...STEPS.map(({ key, title }) => {
      const link = counting.find(({ state }) => REACHED.indexOf(state) >= REACHED.indexOf(key))
      return { key, title, isDone: link !== undefined, link }
    }),
  ]
}
