/** A budget item as read from a source file. Amounts are in satang; an absent text is null. */
export type BudgetRow = {
  readonly sourceId: string
  readonly document: string
  readonly page: number | null
  readonly ministry: string
  readonly unit: string
  readonly plan: string | null
  readonly output: string | null
  readonly project: string | null
  readonly categories: readonly string[]
  readonly description: string
  readonly amountSatang: number | null
  readonly isMultiYear: boolean
  readonly isCrossFunction: boolean
}

export type RejectedBudgetRow = { readonly line: number; readonly reason: string; readonly raw: string }

/** Result of a budget import: `read` = `items` + `quarantined`. */
export type BudgetImportResult = {
  readonly budgetLoadId: number
  readonly fiscalYear: number
  readonly read: number
  readonly items: number
  readonly quarantined: number
  /** Items that the year already contained, in this or an earlier wording. */
  readonly unchanged: number
  readonly removed: number
  readonly seconds: number
}

/** Placeholders for levels that the source leaves empty, because their URLs need a name. */
export const UNNAMED_BUDGET_PLAN = 'ไม่ระบุแผนงาน'
export const UNNAMED_BUDGET_PROJECT = 'ไม่ระบุผลผลิต/โครงการ'
export const UNNAMED_BUDGET_CATEGORY = 'ไม่ระบุหมวดรายจ่าย'
