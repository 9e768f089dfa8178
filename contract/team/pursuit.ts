import { z } from 'zod/mini'
import { draftCommentSchema } from './draft-comment.ts'
import { noteFileSchema } from './note-file.ts'

/**
 * Limits and responses of pursuits. Money is baht, days are ISO dates, times are UTC ISO; people are user ids (`GET
 * /pursuits/settings`).
 */

export const MAX_NOTE_LENGTH = 5_000
export const MAX_DECISION_REASON_LENGTH = 500
export const MAX_NOTE_MENTIONS = 20

const person = z.nullable(z.number())
const nullableTime = z.nullable(z.string())
const money = z.nullable(z.number())

const checklistItemSchema = z.object({
  id: z.string(),
  text: z.string(),
  assignee: person,
  done_by: person,
  done_at: nullableTime,
})
export type ChecklistItem = z.output<typeof checklistItemSchema>

export const BID_DECISIONS = [
  { code: 'bid', th: 'ยื่น' },
  { code: 'no_bid', th: 'ไม่ยื่น' },
] as const
export type BidDecision = (typeof BID_DECISIONS)[number]['code']

const pursuitSchema = z.object({
  stage: z.string(),
  stage_since: z.string(),
  owner: person,
  decision: z.nullable(z.enum(BID_DECISIONS.map(({ code }) => code))),
  reason: z.nullable(z.string()),
  decided_by: person,
  decided_at: nullableTime,
  lost_reason: z.nullable(z.string()),
  /** Our price; null also for users who may not see it. */
  price: money,
  checklist: z.array(checklistItemSchema),
  created_by: person,
  created_at: z.string(),
  changed_at: z.string(),
})
export type Pursuit = z.output<typeof pursuitSchema>

const noteSchema = z.object({
  id: z.string(),
  author: person,
  text: z.string(),
  mentions: z.array(z.number()),
  files: z.array(noteFileSchema),
  is_pinned: z.boolean(),
  created_at: z.string(),
  edited_at: nullableTime,
  deleted_at: nullableTime,
})
export type PursuitNote = z.output<typeof noteSchema>

/**
 * An entry of a pursuit's history. `from` and `to` are stage names, user ids, baht or free text; null for no value, or
 * one that the caller may not see.
 */
const pursuitEventSchema = z.object({
  id: z.number(),
  at: z.string(),
  by: person,
  action: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type PursuitEvent = z.output<typeof pursuitEventSchema>

const outcomeSchema = z.object({ winner: z.nullable(z.string()), price: money, announced_date: nullableTime })

export const pursuitDetailSchema = z.object({
  project_id: z.string(),
  /** Null before the pursuit is created; notes can exist without one. */
  pursuit: z.nullable(pursuitSchema),
  notes: z.array(noteSchema),
  history: z.array(pursuitEventSchema),
  outcome: z.nullable(outcomeSchema),
  /** Newest first. */
  draft_comments: z.array(draftCommentSchema),
})
export type PursuitDetail = z.output<typeof pursuitDetailSchema>

const orNothing = <T extends z.ZodMiniType>(type: T) => z.optional(z.nullable(type))

const pursuitCardSchema = z.object({
  project_id: z.string(),
  /** Short form of the project name: without procedure words, at most 120 characters. */
  name: z.string(),
  agency: z.string(),
  province: z.nullable(z.string()),
  budget: money,
  is_budget_in_doubt: z.optional(z.boolean()),
  /** Last day for bids; `deadline_time` is `HH:mm` or `HH:mm-HH:mm`. */
  deadline: nullableTime,
  deadline_time: orNothing(z.string()),
  is_cancelled: z.optional(z.boolean()),
  stage: z.string(),
  owner: person,
  decision: orNothing(z.enum(BID_DECISIONS.map(({ code }) => code))),
  reason: orNothing(z.string()),
  lost_reason: orNothing(z.string()),
  note_count: z.number(),
  items_done: z.number(),
  items: z.number(),
  changed_at: z.string(),
})
export type PursuitCard = z.output<typeof pursuitCardSchema>

export const MAX_BOARD_CARDS = 2_000

export const pursuitListSchema = z.object({
  results: z.array(pursuitCardSchema),
  total: z.number(),
  /** Increases with every change to a pursuit of the organisation; the change poll reports the same number. */
  version: z.number(),
})
export type PursuitList = z.output<typeof pursuitListSchema>
