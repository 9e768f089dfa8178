import { BUDGET_ITEM_STATES, type BudgetItem, type BudgetItemState, type BudgetLevel } from '#contract/market/budget.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { percentText } from '#src/lib/money-text.ts'

/** Element that the year tabs switch. */
export const RESULTS_ID = 'budget-results'
/** Heading of the table: what a figure is made of is shown there, and the focus goes along. */
export const ITEMS_ID = 'budget-items'

/** Brings the table into view, with the focus on its heading. */
export function goToItems(): void {
  const heading = document.getElementById(ITEMS_ID)
  heading?.scrollIntoView?.({ block: 'start' })
  heading?.focus({ preventScroll: true })
}

export const LEVEL_NAMES: Readonly<Record<BudgetLevel, string>> = {
  ministry: 'กระทรวง',
  unit: 'หน่วยรับงบประมาณ',
  plan: 'แผนงาน',
  project: 'ผลผลิต/โครงการ',
  item: 'รายการ',
}

const STATE_NAMES: ReadonlyMap<string, string> = new Map(BUDGET_ITEM_STATES.map(({ code, th }) => [code, th]))

export function stateName(state: string): string {
  return STATE_NAMES.get(state) ?? state
}

/** A step of the funnel holds those of the steps after it. */
export const STATES_FROM: Readonly<Record<'draft' | 'invited' | 'awarded' | 'cancelled', readonly BudgetItemState[]>> =
  {
    draft: ['draft', 'invited', 'awarded'],
    invited: ['invited', 'awarded'],
    awarded: ['awarded'],
    cancelled: ['cancelled'],
  }

/** `12.50 ล้านบาท`; what is not known is a dash. */
export function bahtText(baht: number | null): string {
  return baht === null ? '–' : `${formatBahtCompact(baht)} บาท`
}

/** The share that changed; null where one side is not known or there was nothing before. */
export function changeOf(now: number | null, before: number | null | undefined): number | null {
  if (now === null || before === null || before === undefined || before === 0) return null
  return (now - before) / before
}

/** `▲ 12.0%`, `▼ 3.0%`, `เท่าเดิม`; a dash where it is not known. */
export function changeText(change: number | null): string {
  if (change === null) return '–'
  if (Math.abs(change) < 0.0005) return 'เท่าเดิม'
  return `${change > 0 ? '▲' : '▼'} ${percentText(Math.abs(change))}`
}

/** Name of an item at a level of the way down. */
export function nameAt(item: BudgetItem, level: BudgetLevel): string {
  if (level === 'item') return item.description
  if (level === 'project') return item.project ?? item.output ?? ''
  return item[level]
}

/** How sure a link is, in words. */
export function confidenceText(confidence: number): string {
  if (confidence >= 0.9) return 'ตรงกันมาก'
  if (confidence >= 0.7) return 'น่าจะใช่'
  if (confidence >= 0.5) return 'อาจใช่'
  return 'ไม่แน่ใจ'
}
