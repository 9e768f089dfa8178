/** One item of a year's budget as a source hands it over. Money is satang, an absent text null. */
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

/** A row that was not taken: where it stands, why, and the row as read. */
export type RefusedBudgetRow = { readonly line: number; readonly reason: string; readonly raw: string }

/** What became of a file of the budget: `read` = `items` + `quarantined`. */
export type BudgetReport = {
  readonly budgetLoadId: number
  readonly fiscalYear: number
  readonly read: number
  readonly items: number
  readonly quarantined: number
  /** Of the items: those that the year had before, in this or an earlier wording. */
  readonly kept: number
  readonly removed: number
  readonly seconds: number
}

/** Names of the levels for items whose source leaves them empty: an address must be able to say them. */
export const UNNAMED_PLAN = 'ไม่ระบุแผนงาน'
export const UNNAMED_PROJECT = 'ไม่ระบุผลผลิต/โครงการ'
export const UNNAMED_CATEGORY = 'ไม่ระบุหมวดรายจ่าย'
