import { z } from 'zod/mini'
import { DUE_KINDS } from '../catalogue/bid-state.ts'
import { MAX_PROJECTS_PER_ACTION } from './bookmark.ts'

/** The sections of the morning queue, in their order. A project stands in the first that fits. */
export const QUEUE_KINDS = ['new', 'updated', ...DUE_KINDS] as const
export type QueueKind = (typeof QUEUE_KINDS)[number]

/** Most undecided projects of one section that one answer names: more than a morning holds. The rest comes when these are decided. */
export const MAX_QUEUE_SECTION = 500

/**
 * `GET /projects/queue`: the projects of a report that wait for a decision this morning, and those that had theirs. What is decided does
 * not come back before a newer load makes it New or Updated, or it newly ends within `CLOSING_DAYS`; one decided while it was closing
 * comes once more, on the last working day before the date.
 */
export const morningQueueSchema = z.object({
  /** The load that New and Updated speak of; decisions name it. Null before the first load. */
  load_id: z.nullable(z.number()),
  /** When that load was published, UTC ISO. */
  data_time: z.nullable(z.string()),
  sections: z.array(
    z.object({
      kind: z.enum(QUEUE_KINDS),
      /** Decided ones first, then the undecided in the report's order; of `DUE_KINDS` the nearest date first. */
      ids: z.array(z.string()),
      /** How many there are, decided or not; more than `ids` in a section too large for one answer. */
      total: z.number(),
      /**
       * Of `DUE_KINDS`: how many projects of the report have this deadline, the same count as beside the rows. `total` lacks those that are new, updated or were
       * decided on an earlier morning.
       */
      near: z.optional(z.number()),
    }),
  ),
  /** Those of `ids` that this user has decided about, on whatever device. */
  decided: z.array(z.string()),
})
export type MorningQueue = z.output<typeof morningQueueSchema>

/** How many there are in all, and how many of them wait for a decision. */
export function countQueue({ sections, decided }: MorningQueue): { readonly total: number; readonly waiting: number } {
  const total = sections.reduce((sum, section) => sum + section.total, 0)
  return { total, waiting: Math.max(0, total - decided.length) }
}

/** `POST /projects/queue/decisions`: says the wanted end state, so that a call made twice changes nothing the second time. */
export const queueDecisionsSchema = z.object({
  load_id: z.number().check(z.refine((id) => Number.isSafeInteger(id) && id > 0)),
  project_ids: z
    .array(z.string().check(z.regex(/^[0-9A-Za-z-]{1,32}$/)))
    .check(z.minLength(1), z.maxLength(MAX_PROJECTS_PER_ACTION)),
  /** False takes decisions back. */
  decided: z.boolean(),
})
export type QueueDecisions = z.output<typeof queueDecisionsSchema>

/** The load published last, so that the screen can offer a newer one. */
export const queueDecisionsAnswerSchema = z.object({
  load_id: z.nullable(z.number()),
  data_time: z.nullable(z.string()),
})
export type QueueDecisionsAnswer = z.output<typeof queueDecisionsAnswerSchema>
