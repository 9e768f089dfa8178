import sql, { type Sql } from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { CountedDayColumn, MoneyColumn } from '#server/report/memory/project-columns.ts'
import type { SharedValueField } from '#server/report/memory/shared-values.ts'
import { PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'

/**
 * Facts of a project that filters of a general kind use, in each of their forms: field of a row, column of
 * `report_matches`, in-memory column, and number in a packed row of the facet query.
 */

type FieldOf<Value> = { [F in keyof ReportRow]-?: ReportRow[F] extends Value ? F : never }[keyof ReportRow]

/** A code that many projects share. SQL stores its id in `match_values`, in the given `kind`. */
export type ValueFact = {
  readonly field: FieldOf<string>
  readonly kind: string
  readonly column: Sql
  readonly inMemory: SharedValueField
  readonly packedAt: number
}

/** A province; `shift` is the position of its code in the packed provinces of both engines. */
export type ProvinceFact = { readonly field: FieldOf<string | null>; readonly column: Sql; readonly shift: number }

/** An amount; `binShift` is the position of its histogram bin in the packed bins of both engines. */
export type MoneyFact = {
  readonly field: FieldOf<number | null>
  readonly column: Sql
  readonly inMemory: MoneyColumn
  readonly binShift: number
}

export type DayFact = {
  readonly field: FieldOf<string | null>
  readonly column: Sql
  readonly inMemory: CountedDayColumn
  readonly packedAt: number
}

export const STATUS = {
  field: 'status',
  kind: 'status',
  column: sql`m.status`,
  inMemory: 'status',
  packedAt: PACKED_FACET_ROW_OFFSETS.status,
} as const satisfies ValueFact

export const MOVEMENT = {
  field: 'movement',
  kind: 'movement',
  column: sql`m.movement`,
  inMemory: 'movement',
  packedAt: PACKED_FACET_ROW_OFFSETS.movement,
} as const satisfies ValueFact

export const CRITERIA = {
  field: 'criteria',
  kind: 'criteria',
  column: sql`m.criteria`,
  inMemory: 'criteria',
  packedAt: PACKED_FACET_ROW_OFFSETS.criteria,
} as const satisfies ValueFact

export const METHOD = {
  field: 'method',
  kind: 'method',
  column: sql`m.method`,
  inMemory: 'method',
  packedAt: PACKED_FACET_ROW_OFFSETS.method,
} as const satisfies ValueFact

export const METHOD_TYPE = {
  field: 'method_type',
  kind: 'method_type',
  column: sql`m.method_type`,
  inMemory: 'methodType',
  packedAt: PACKED_FACET_ROW_OFFSETS.methodType,
} as const satisfies ValueFact

export const PROJECT_PROVINCE = {
  field: 'project_province',
  column: sql`m.project_province`,
  shift: 7,
} as const satisfies ProvinceFact

export const DEPARTMENT_PROVINCE = {
  field: 'dept_province',
  column: sql`m.dept_province`,
  shift: 0,
} as const satisfies ProvinceFact

export const BUDGET = {
  field: 'budget',
  column: sql`m.budget_satang`,
  inMemory: 'budget',
  binShift: 0,
} as const satisfies MoneyFact

export const ESTIMATE = {
  field: 'estimate_budget',
  column: sql`m.estimate_satang`,
  inMemory: 'estimate',
  binShift: 5,
} as const satisfies MoneyFact

export const WINNING_PRICE = {
  field: 'winner_budget',
  column: sql`m.winner_satang`,
  inMemory: 'winner',
  binShift: 10,
} as const satisfies MoneyFact

export const DRAFT_PUBLISHED_ON = {
  field: 'draft_published_date',
  column: sql`m.draft_published_on`,
  inMemory: 'draftPublishedOn',
  packedAt: PACKED_FACET_ROW_OFFSETS.draftPublished,
} as const satisfies DayFact

export const DRAFT_DISCUSSION_ENDS_ON = {
  field: 'draft_discussion_end_date',
  column: sql`m.draft_discussion_ends_on`,
  inMemory: 'discussionEndsOn',
  packedAt: PACKED_FACET_ROW_OFFSETS.draftDiscussionEnd,
} as const satisfies DayFact

export const BIDDING_INVITED_ON = {
  field: 'bidding_invite_date',
  column: sql`m.bidding_invited_on`,
  inMemory: 'invitedOn',
  packedAt: PACKED_FACET_ROW_OFFSETS.biddingInvite,
} as const satisfies DayFact

export const SUBMISSION_ENDS_ON = {
  field: 'submission_end_date',
  column: sql`m.submission_ends_on`,
  inMemory: 'submissionEndsOn',
  packedAt: PACKED_FACET_ROW_OFFSETS.submissionEnd,
} as const satisfies DayFact

export const WINNER_ANNOUNCED_ON = {
  field: 'winner_announce_date',
  column: sql`m.winner_announced_on`,
  inMemory: 'announcedOn',
  packedAt: PACKED_FACET_ROW_OFFSETS.winnerAnnounce,
} as const satisfies DayFact

/** A condition that many projects share; packed rows have its bit in the number at `packedAt`. */
export type FlagFact = {
  readonly field: FieldOf<boolean>
  readonly column: Sql
  readonly inMemory: 'isSme'
  readonly packedAt: number
  readonly shift: number
}

export const IS_SME = {
  field: 'is_sme',
  column: sql`m.is_sme`,
  inMemory: 'isSme',
  packedAt: PACKED_FACET_ROW_OFFSETS.provinces,
  shift: 14,
} as const satisfies FlagFact
