import sql, { type Sql } from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { CountedDayColumn, MoneyColumn } from '#server/report/memory/project-columns.ts'
import type { SharedValueField } from '#server/report/memory/shared-values.ts'

/**
 * Facts of a project that filters of a general kind use: field of a row, column of `report_matches`, and column in
 * memory. Packed rows of the facet query (packed-row.ts) use the names of the columns in memory.
 */

type FieldOf<Value> = { [F in keyof ReportRow]-?: ReportRow[F] extends Value ? F : never }[keyof ReportRow]

/** A code that many projects share. `column` contains its id in `match_values`, where the kind is the field's name. */
export type ValueFact = { readonly field: FieldOf<string>; readonly column: Sql; readonly inMemory: SharedValueField }
export const STATUS: ValueFact = { field: 'status', column: sql`m.status`, inMemory: 'status' }
export const MOVEMENT: ValueFact = { field: 'movement', column: sql`m.movement`, inMemory: 'movement' }
export const CRITERIA: ValueFact = { field: 'criteria', column: sql`m.criteria`, inMemory: 'criteria' }
export const METHOD: ValueFact = { field: 'method', column: sql`m.method`, inMemory: 'method' }
export const METHOD_TYPE: ValueFact = { field: 'method_type', column: sql`m.method_type`, inMemory: 'methodType' }

/** A province; `shift` is the offset of its code in the packed provinces of both engines. */
export type ProvinceFact = { readonly field: FieldOf<string | null>; readonly column: Sql; readonly shift: number }
export const PROJECT_PROVINCE: ProvinceFact = { field: 'project_province', column: sql`m.project_province`, shift: 7 }
export const DEPARTMENT_PROVINCE: ProvinceFact = { field: 'dept_province', column: sql`m.dept_province`, shift: 0 }

export type MoneyFact = { readonly field: FieldOf<number | null>; readonly column: Sql; readonly inMemory: MoneyColumn }
export const BUDGET: MoneyFact = { field: 'budget', column: sql`m.budget_satang`, inMemory: 'budget' }
export const ESTIMATE: MoneyFact = { field: 'estimate_budget', column: sql`m.estimate_satang`, inMemory: 'estimate' }
export const WINNING_PRICE: MoneyFact = { field: 'winner_budget', column: sql`m.winner_satang`, inMemory: 'winner' }

type DayField = Extract<FieldOf<string | null>, `${string}_date`>
const day = (field: DayField, column: Sql, inMemory: CountedDayColumn) => ({ field, column, inMemory })
export type DayFact = ReturnType<typeof day>
export const DRAFT_PUBLISHED_ON = day('draft_published_date', sql`m.draft_published_on`, 'draftPublishedOn')
export const DISCUSSION_ENDS_ON = day('draft_discussion_end_date', sql`m.draft_discussion_ends_on`, 'discussionEndsOn')
export const INVITED_ON = day('bidding_invite_date', sql`m.bidding_invited_on`, 'invitedOn')
export const SUBMISSION_ENDS_ON = day('submission_end_date', sql`m.submission_ends_on`, 'submissionEndsOn')
export const ANNOUNCED_ON = day('winner_announce_date', sql`m.winner_announced_on`, 'announcedOn')

/** A condition that many projects share; `shift` is its bit in the packed provinces of the facet query. */
export type FlagFact = {
  readonly field: FieldOf<boolean>
  readonly column: Sql
  readonly inMemory: 'isSme'
  readonly shift: number
}
export const IS_SME: FlagFact = { field: 'is_sme', column: sql`m.is_sme`, inMemory: 'isSme', shift: 14 }
