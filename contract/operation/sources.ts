import { z } from 'zod/mini'

/** What a night of a source came to; null: it goes on. `closed`: the other side did not answer. */
export const NIGHT_OUTCOMES = ['complete', 'cut_short', 'refused', 'closed', 'halted'] as const

const moment = z.nullable(z.string())

const roundSchema = z.object({
  /** ISO day, Bangkok; of a night the day of its evening. */
  night: z.string(),
  begun_at: z.string(),
  ended_at: moment,
  planned: z.number(),
  requests: z.number(),
  new_items: z.number(),
  changed_items: z.number(),
  unreadable_items: z.number(),
  timeouts: z.number(),
  refusals: z.number(),
  /** Answers with the most announcements that one answer can hold (20): there may be more. */
  full_answers: z.number(),
  outcome: z.nullable(z.enum(NIGHT_OUTCOMES)),
  /** Part of the hours in which the source answers that its requests took, 0 to 1. */
  share: z.number(),
})
export type SourceRound = z.output<typeof roundSchema>

/** A source as an operator sees it. Moments are UTC ISO, times `HH:mm` in Bangkok. */
const sourceSchema = z.object({
  source: z.string(),
  label: z.string(),
  is_on: z.boolean(),
  address: z.string(),
  /** Mail address that goes into every request; null: nothing is asked yet. */
  contact: z.nullable(z.string()),
  /** Whether it asks anybody, and so must say who asks. */
  needs_contact: z.boolean(),
  needs_key: z.boolean(),
  has_key: z.boolean(),
  opens_at: z.string(),
  closes_at: z.string(),
  probe_at: z.nullable(z.string()),
  pace_seconds: z.number(),
  last_run_at: moment,
  last_answer_at: moment,
  next_run_at: moment,
  /** Asked to rest until then. */
  rests_until: moment,
  /** The other side said no: nothing more is asked until it is switched on again. */
  halted: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  probe: z.nullable(z.object({ at: z.string(), answered: z.boolean() })),
  /** What our own fetcher failed with last. */
  failure: z.nullable(z.string()),
  /** How far the present round is. */
  progress: z.nullable(
    z.object({ unit: z.string(), done: z.number(), total: z.number(), seconds_left: z.nullable(z.number()) }),
  ),
  /** Of agencies; null where a source asks for none. */
  coverage: z.nullable(
    z.object({
      agencies: z.number(),
      /** Answered within the last seven days. */
      reached: z.number(),
      never: z.number(),
      /** Agencies of which announcements are missing, and how many these are. */
      incomplete: z.number(),
      missing: z.number(),
      /** Questions of this night that wait. */
      waiting: z.number(),
      last_full_night: moment,
    }),
  ),
  /** Announcements, or rows of files, since it was first switched on. */
  came_in_all: z.number(),
  /** Files that came last, with what became of them; none of a source that answers questions. */
  files: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      rows_read: z.number(),
      rows_quarantined: z.number(),
      new_projects: z.number(),
      updated_projects: z.number(),
      reason: z.nullable(z.string()),
      finished_at: moment,
    }),
  ),
  /** At most 14, the newest first: one for each day or night on which the source ran. */
  rounds: z.array(roundSchema),
})
export type OperatedSource = z.output<typeof sourceSchema>

/** `GET /operation/sources` */
export const sourcesSchema = z.object({ checked_at: z.string(), sources: z.array(sourceSchema) })
export type OperatedSources = z.output<typeof sourcesSchema>

/** `GET /operation/sources/{source}/gaps`: what could not be had, at most 100 of each. */
export const sourceGapsSchema = z.object({
  never: z.array(z.object({ code: z.string(), name: z.string() })),
  incomplete: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      type: z.string(),
      day: z.string(),
      expected: z.number(),
      found: z.number(),
    }),
  ),
})
export type SourceGaps = z.output<typeof sourceGapsSchema>

const time = (message: string) => z.string(message).check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message))

/** `POST /operation/sources/{source}/on`. The address that is asked is set at the command line alone. */
export const sourceOnSchema = z.object({
  /** What is not given stays as it was; a source that asks somebody needs one. */
  contact: z.optional(
    z
      .string('กรอกอีเมลติดต่อ')
      .check(z.trim(), z.maxLength(200, 'อีเมลยาวได้ไม่เกิน 200 ตัวอักษร'), z.email('รูปแบบอีเมลไม่ถูกต้อง เช่น it@company.co.th')),
  ),
  opens_at: z.optional(time('กรอกเวลาเริ่มเป็น ชั่วโมง:นาที เช่น 17:30')),
  closes_at: z.optional(time('กรอกเวลาเลิกเป็น ชั่วโมง:นาที เช่น 08:30')),
  pace_seconds: z.optional(
    // Each source has a shortest pace of its own, which the server knows.
    z.number('กรอกเป็นจำนวนวินาที').check(z.minimum(1, 'ห่างกันอย่างน้อย 1 วินาที'), z.maximum(600, 'ห่างกันไม่เกิน 600 วินาที')),
  ),
})
export type SourceOn = z.output<typeof sourceOnSchema>

/** `POST /operation/sources/{source}/probe`: one request, of which nothing is stored. */
export const sourceProbeSchema = z.object({ address: z.string(), said: z.string(), ms: z.number() })
export type SourceProbe = z.output<typeof sourceProbeSchema>
