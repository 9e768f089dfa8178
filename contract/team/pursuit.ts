import { z } from 'zod/mini'
import { noteFileSchema } from './note-file.ts'

/** Answers about pursuits. Money is baht, days are ISO dates, moments UTC ISO; people are numbers of members (`GET /pursuits/settings`). */

/** Most characters of a note and of a reason, and most colleagues that one note calls. */
export const LONGEST_NOTE = 5_000
export const LONGEST_REASON = 500
export const MOST_MENTIONS = 20

const person = z.nullable(z.number())
const moment = z.nullable(z.string())
const money = z.nullable(z.number())

const checklistItemSchema = z.object({
  id: z.string(),
  text: z.string(),
  assignee: person,
  done_by: person,
  /** Null: not done. */
  done_at: moment,
})
export type ChecklistItem = z.output<typeof checklistItemSchema>

export const DECISIONS = [
  { code: 'bid', th: 'ยื่น' },
  { code: 'no_bid', th: 'ไม่ยื่น' },
] as const
export type Decision = (typeof DECISIONS)[number]['code']

/** What an organisation does about one project. */
const pursuitSchema = z.object({
  /** Id of a stage. */
  stage: z.string(),
  /** Since when it stands there. */
  stage_since: z.string(),
  owner: person,
  decision: z.nullable(z.enum(DECISIONS.map(({ code }) => code))),
  /** Why it was decided so. */
  reason: z.nullable(z.string()),
  decided_by: person,
  decided_at: moment,
  /** Why it was lost. */
  lost_reason: z.nullable(z.string()),
  /** Ours; null also for who may not see it. */
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
  /** Empty when it was deleted. */
  text: z.string(),
  mentions: z.array(z.number()),
  /** Empty when it was deleted. */
  files: z.array(noteFileSchema),
  is_pinned: z.boolean(),
  created_at: z.string(),
  edited_at: moment,
  deleted_at: moment,
})
export type PursuitNote = z.output<typeof noteSchema>

/** One line of the history. `from` and `to`: names of stages, numbers of members, baht, texts; null where there was nothing or the caller may not see it. */
const pursuitEventSchema = z.object({
  id: z.number(),
  at: z.string(),
  by: person,
  action: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
})
export type PursuitEvent = z.output<typeof pursuitEventSchema>

/** What the feed says of the end: the winner with the largest contract, and the sum of the contracts. */
const outcomeSchema = z.object({ winner: z.nullable(z.string()), price: money, announced_date: moment })

/** `GET` and `PATCH /pursuits/{project}`. */
export const pursuitDetailSchema = z.object({
  project_id: z.string(),
  /** Null until somebody begins it; notes do not need it. */
  pursuit: z.nullable(pursuitSchema),
  /** The oldest first. */
  notes: z.array(noteSchema),
  /** The newest first, 100 at most. */
  history: z.array(pursuitEventSchema),
  outcome: z.nullable(outcomeSchema),
})
export type PursuitDetail = z.output<typeof pursuitDetailSchema>

const orNothing = <T extends z.ZodMiniType>(type: T) => z.optional(z.nullable(type))

/** One card of the board: what it shows and is sorted by. What few cards have is left out of the others. */
const pursuitCardSchema = z.object({
  project_id: z.string(),
  /** Short: without the words of the procedure, 120 characters at most. */
  name: z.string(),
  agency: z.string(),
  province: z.nullable(z.string()),
  budget: money,
  /** Last day of bids, and `HH:mm` or `HH:mm-HH:mm`. */
  deadline: moment,
  deadline_time: orNothing(z.string()),
  /** True of a cancelled invitation or project, whose deadline counts for nothing. */
  is_cancelled: z.optional(z.boolean()),
  stage: z.string(),
  owner: person,
  decision: orNothing(z.enum(DECISIONS.map(({ code }) => code))),
  reason: orNothing(z.string()),
  lost_reason: orNothing(z.string()),
  note_count: z.number(),
  items_done: z.number(),
  items: z.number(),
  changed_at: z.string(),
})
export type PursuitCard = z.output<typeof pursuitCardSchema>

/** Most cards of one answer, those that were changed last. */
export const MOST_CARDS = 2_000

/** `GET /pursuits`. */
export const pursuitListSchema = z.object({
  results: z.array(pursuitCardSchema),
  /** All that the filters let through. */
  total: z.number(),
  /** Grows with every change of any pursuit of the organisation; as in the change poll. */
  version: z.number(),
})
export type PursuitList = z.output<typeof pursuitListSchema>
