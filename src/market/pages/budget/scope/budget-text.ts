import { getChoiceLabel } from '#contract/catalogue/project.ts'
import { BUDGET_ITEM_STATES, type BudgetItem, type BudgetLevel } from '#contract/market/budget.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'

export const BUDGET_RESULTS_ELEMENT_ID = 'budget-results'
export const BUDGET_ITEMS_ELEMENT_ID = 'budget-items'

export function focusBudgetItems(): void {
  const heading = document.getElementById(BUDGET_ITEMS_ELEMENT_ID)
  heading?.scrollIntoView?.({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

export const BUDGET_LEVEL_NAMES: Readonly<Record<BudgetLevel, string>> = {
  ministry: 'กระทรวง',
  unit: 'หน่วยรับงบประมาณ',
  plan: 'แผนงาน',
  project: 'ผลผลิต/โครงการ',
  item: 'รายการ',
}

export const getBudgetStateLabel = (state: string): string => getChoiceLabel(BUDGET_ITEM_STATES, state)

export function formatBudgetAmount(baht: number | null): string {
  return baht === null ? '–' : `${formatBahtCompact(baht)} บาท`
}

/** Returns the relative change; null when either value is unknown or the earlier one is 0. */
export function computeRelativeChange(now: number | null, before: number | null | undefined): number | null {
  if (now === null || before === null || before === undefined || before === 0) return null
  return (now - before) / before
}

export function formatRelativeChange(change: number): string {
  if (Math.abs(change) < 0.0005) return 'เท่าเดิม'
  return `${change > 0 ? '▲' : '▼'} ${formatPercent(Math.abs(change))}`
}

export function getBudgetLevelName(item: BudgetItem, level: BudgetLevel): string {
  if (level === 'item') return item.description
  if (level === 'project') return item.project ?? item.output ?? ''
  return item[level]
}

export function formatBudgetLinkConfidence(confidence: number): string {
  if (confidence >= 0.9) return 'ตรงกันมาก'
  if (confidence >= 0.7) return 'น่าจะใช่'
  if (confidence >= 0.5) return 'อาจใช่'
  return 'ไม่แน่ใจ'
}
