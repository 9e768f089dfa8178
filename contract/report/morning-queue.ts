import { z } from 'zod/mini'
import { NEAR_DEADLINE_KINDS, NEAR_DEADLINE_LABELS } from '../catalogue/bid-state.ts'
import { formatCount } from '../thai/thai-number.ts'
import { MAX_PROJECTS_PER_ACTION } from './project-targets.ts'

/** Sections of the morning queue, in order. A project is listed in the first section that matches. */
export const MORNING_QUEUE_KINDS = ['new', 'updated', ...NEAR_DEADLINE_KINDS] as const
export type MorningQueueKind = (typeof MORNING_QUEUE_KINDS)[number]

export const MORNING_QUEUE_KIND_LABELS: Readonly<Record<MorningQueueKind, string>> = {
  new: 'ใหม่',
  updated: 'อัปเดต',
  ...NEAR_DEADLINE_LABELS,
}

/**
 * Maximum number of undecided projects per section in one response; more than anyone reads in a morning. The remaining
 * projects follow once these are decided.
 */
export const MAX_MORNING_QUEUE_SECTION_SIZE = 500

/**
 * `GET /projects/queue`: report projects that need a decision this morning, and those already decided. A decided
 * project reappears only when a newer load makes it New or Updated, or when its deadline is within `CLOSING_SOON_DAYS`;
 * a project decided while closing reappears once, on the last working day before the date.
 */
export const morningQueueSchema = z.object({
  /** Load that determines which projects are New and Updated; decisions refer to it. Null before the first load. */
  load_id: z.nullable(z.number()),
  data_time: z.nullable(z.string()),
  sections: z.array(
    z.object({
      kind: z.enum(MORNING_QUEUE_KINDS),
      /**
       * Decided projects first, then undecided ones in report order, or nearest date first for `NEAR_DEADLINE_KINDS`.
       * `total` exceeds `ids.length` when a section is too large for one response.
       */
      ids: z.array(z.string()),
      total: z.number(),
      /**
       * For `NEAR_DEADLINE_KINDS`: number of report projects with this deadline, the same as shown next to the rows.
       * `total` excludes those that are new, updated or decided on an earlier morning.
       */
      near: z.optional(z.number()),
    }),
  ),
  decided: z.array(z.string()),
})
export type MorningQueue = z.output<typeof morningQueueSchema>

export function countMorningQueue({ sections, decided }: MorningQueue): {
  readonly total: number
  readonly waiting: number
} {
  const total = sections.reduce((sum, section) => sum + section.total, 0)
  return { total, waiting: Math.max(0, total - decided.length) }
}

/**
 * Figures of a morning, the same on the report, in the report mail and in the morning messages of all channels. The
 * near deadlines include projects that are also new or updated, as the chips of the report do.
 */
export type MorningFigures = Readonly<Record<MorningQueueKind, number>>

export const getMorningFigures = ({ sections }: Pick<MorningQueue, 'sections'>): MorningFigures =>
  Object.fromEntries(sections.map(({ kind, total, near = total }) => [kind, near])) as MorningFigures

/** Formats e.g. `ใหม่ 12 · อัปเดต 7 · ใกล้ปิด 5`; empty if there is nothing to report. */
export function formatMorningFigures(figures: MorningFigures): string {
  return MORNING_QUEUE_KINDS.flatMap((kind) =>
    figures[kind] > 0 ? [`${MORNING_QUEUE_KIND_LABELS[kind]} ${formatCount(figures[kind])}`] : [],
  ).join(' · ')
}

/** `POST /projects/queue/decisions` sets an end state, so it is idempotent. */
export const morningQueueDecisionsSchema = z.object({
  load_id: z.number().check(z.refine((id) => Number.isSafeInteger(id) && id > 0)),
  project_ids: z
    .array(z.string().check(z.regex(/^[0-9A-Za-z-]{1,32}$/)))
    .check(z.minLength(1), z.maxLength(MAX_PROJECTS_PER_ACTION)),
  decided: z.boolean(),
})
export type MorningQueueDecisions = z.output<typeof morningQueueDecisionsSchema>

export const morningQueueDecisionsResponseSchema = z.object({
  load_id: z.nullable(z.number()),
  data_time: z.nullable(z.string()),
})
export type MorningQueueDecisionsResponse = z.output<typeof morningQueueDecisionsResponseSchema>
