import { z } from 'zod/mini'

/** Outcome of a source's nightly run; null while it is running. `closed`: the source did not respond. */
const NIGHTLY_RUN_OUTCOMES = ['complete', 'cut_short', 'refused', 'closed', 'halted'] as const

const timestamp = z.nullable(z.string())

const roundSchema = z.object({
  /** ISO date in Bangkok; for a nightly run the date of its evening. */
  night: z.string(),
  begun_at: z.string(),
  ended_at: timestamp,
  planned: z.number(),
  requests: z.number(),
  new_items: z.number(),
  changed_items: z.number(),
  unreadable_items: z.number(),
  timeouts: z.number(),
  refusals: z.number(),
  /** Number of responses with the maximum of 20 announcements, which may be incomplete. */
  full_answers: z.number(),
  outcome: z.nullable(z.enum(NIGHTLY_RUN_OUTCOMES)),
  /** Share of the source's opening hours that the requests took, 0 to 1. */
  share: z.number(),
})
export type DataSourceNightlyRun = z.output<typeof roundSchema>

/** A source in the operator's view. Timestamps are UTC ISO, times `HH:mm` in Bangkok. */
const sourceSchema = z.object({
  source: z.string(),
  label: z.string(),
  is_on: z.boolean(),
  address: z.string(),
  contact: z.nullable(z.string()),
  needs_contact: z.boolean(),
  needs_key: z.boolean(),
  has_key: z.boolean(),
  opens_at: z.string(),
  closes_at: z.string(),
  probe_at: z.nullable(z.string()),
  pace_seconds: z.number(),
  last_run_at: timestamp,
  last_answer_at: timestamp,
  next_run_at: timestamp,
  rests_until: timestamp,
  halted: z.nullable(z.object({ at: z.string(), reason: z.string() })),
  probe: z.nullable(z.object({ at: z.string(), answered: z.boolean() })),
  failure: z.nullable(z.string()),
  progress: z.nullable(
    z.object({ unit: z.string(), done: z.number(), total: z.number(), seconds_left: z.nullable(z.number()) }),
  ),
  coverage: z.nullable(
    z.object({
      agencies: z.number(),
      reached: z.number(),
      never: z.number(),
      incomplete: z.number(),
      missing: z.number(),
      waiting: z.number(),
      last_full_night: timestamp,
    }),
  ),
  /** Announcements, or rows of files, received since the source was first switched on. */
  came_in_all: z.number(),
  files: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      rows_read: z.number(),
      rows_quarantined: z.number(),
      new_projects: z.number(),
      updated_projects: z.number(),
      reason: z.nullable(z.string()),
      finished_at: timestamp,
    }),
  ),
  rounds: z.array(roundSchema),
})
export type DataSourceStatus = z.output<typeof sourceSchema>

export const dataSourcesSchema = z.object({ checked_at: z.string(), sources: z.array(sourceSchema) })
export type DataSourceStatusList = z.output<typeof dataSourcesSchema>

/**
 * `GET /operation/sources/{source}/gaps`: agencies that were never downloaded, and days with missing announcements; at
 * most 100 of each.
 */
export const dataSourceGapsSchema = z.object({
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
export type DataSourceGaps = z.output<typeof dataSourceGapsSchema>

const time = (message: string) => z.string(message).check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, message))

/**
 * `POST /operation/sources/{source}/on`. The source's URL can only be set on the command line. An absent contact leaves
 * the stored one unchanged; a source that sends requests needs one.
 */
export const enableDataSourceRequestSchema = z.object({
  contact: z.optional(
    z
      .string('กรอกอีเมลติดต่อ')
      .check(z.trim(), z.maxLength(200, 'อีเมลยาวได้ไม่เกิน 200 ตัวอักษร'), z.email('รูปแบบอีเมลไม่ถูกต้อง เช่น it@company.co.th')),
  ),
  opens_at: z.optional(time('กรอกเวลาเริ่มเป็น ชั่วโมง:นาที เช่น 17:30')),
  closes_at: z.optional(time('กรอกเวลาเลิกเป็น ชั่วโมง:นาที เช่น 08:30')),
  pace_seconds: z.optional(
    // The server also enforces a minimum interval between requests, which differs by source.
    z.number('กรอกเป็นจำนวนวินาที').check(z.minimum(1, 'ห่างกันอย่างน้อย 1 วินาที'), z.maximum(600, 'ห่างกันไม่เกิน 600 วินาที')),
  ),
})
export type EnableDataSourceRequest = z.output<typeof enableDataSourceRequestSchema>

/** `POST /operation/sources/{source}/probe`: a single request; nothing is stored. */
export const dataSourceProbeSchema = z.object({ address: z.string(), said: z.string(), ms: z.number() })
export type DataSourceProbe = z.output<typeof dataSourceProbeSchema>
