import { z } from 'zod/mini'

/**
 * How many invitations the feed listed, and by when the product had them. All figures count invitations (`D0`) by the
 * day that the feed dates them.
 */

export const COVERAGE_AGENCY_KINDS = ['ministry', 'state_enterprise', 'local', 'other'] as const
export type CoverageAgencyKind = (typeof COVERAGE_AGENCY_KINDS)[number]

/** Bangkok time at which customers start to work with the night's announcements. */
export const COVERAGE_MORNING = '08:30'
export const COVERAGE_DAYS = 14
export const COVERAGE_MONTHS = 12

const figures = {
  /**
   * `counted`: invitations that the feed listed or counted; null where it did not answer. `had`: those that the product
   * has now.
   */
  counted: z.nullable(z.number()),
  had: z.number(),
  by_first_morning: z.number(),
  /** Null before the second morning. */
  by_second_morning: z.nullable(z.number()),
  /** Agencies for which the feed has not answered since; the figures leave out their invitations. */
  unknown_agencies: z.number(),
}
const coverageFiguresSchema = z.object(figures)
export type CoverageFigures = z.output<typeof coverageFiguresSchema>

const nightOutcome = z.enum(['complete', 'cut_short', 'refused', 'closed', 'halted', 'running', 'none'])
export type CoverageNightOutcome = z.output<typeof nightOutcome>

/**
 * A run of the feed in the evening of `day`. Items in `unreadable` could not be read at all; their type and agency are
 * not stored.
 */
const coverageNightSchema = z.object({
  outcome: nightOutcome,
  unreadable: z.number(),
  timeouts: z.number(),
})

const coverageDaySchema = z.object({ ...figures, day: z.string(), night: coverageNightSchema })
export type CoverageDay = z.output<typeof coverageDaySchema>

const coverageMonthSchema = z.object({
  ...figures,
  /** First day of the month, or the first fetched day for the oldest month. */
  from: z.string(),
  to: z.string(),
  nights: z.number(),
  failed_nights: z.number(),
})
export type CoverageMonth = z.output<typeof coverageMonthSchema>

const coverageSeriesSchema = z.object({
  agencies: z.number(),
  days: z.array(coverageDaySchema),
  months: z.array(coverageMonthSchema),
})
export type CoverageSeries = z.output<typeof coverageSeriesSchema>

const coverageGroupSchema = z.object({
  kind: z.enum(COVERAGE_AGENCY_KINDS),
  /** Set only for local bodies; null if unknown. */
  province: z.nullable(z.string()),
  agencies: z.number(),
  days: coverageFiguresSchema,
  months: coverageFiguresSchema,
})
export type CoverageGroup = z.output<typeof coverageGroupSchema>

/**
 * How far the feed answers for agencies of one kind and code length. `answered`: in the last seven days; `listed`: those
 * with an announcement in the last 30 days. Codes that are not queried regularly are probed weekly.
 */
const coverageReachSchema = z.object({
  kind: z.enum(COVERAGE_AGENCY_KINDS),
  digits: z.number(),
  agencies: z.number(),
  is_queried: z.boolean(),
  answered: z.number(),
  listed: z.number(),
  /** Last weekly probe of agencies that are not queried; null: none yet. */
  probe: z.nullable(z.object({ on: z.string(), outcome: z.enum(['listed', 'empty', 'silent']) })),
})
export type CoverageReach = z.output<typeof coverageReachSchema>

/** `GET /coverage`: newest day and month first. `demo` and `off` have no figures, because nothing is fetched. */
export const coverageSchema = z.object({
  state: z.enum(['on', 'off', 'demo']),
  checked_at: z.string(),
  /**
   * `first_night`: first night ever fetched; earlier days are unknown. `counts_since`: first day whose unlisted
   * invitations are stored, later than `first_night` where older versions deleted them; `counted` is unknown before.
   */
  first_night: z.nullable(z.string()),
  counts_since: z.nullable(z.string()),
  all: coverageSeriesSchema,
  followed: coverageSeriesSchema,
  groups: z.array(coverageGroupSchema),
  reach: z.array(coverageReachSchema),
})
export type Coverage = z.output<typeof coverageSchema>

/**
 * Why the product did not have an invitation by the first morning. `not_answered`: the night was complete, but no
 * answer listed it; which agencies timed out on a past night is not stored.
 */
const missReason = z.enum([
  'no_night',
  'night_refused',
  'night_closed',
  'night_halted',
  'night_cut_short',
  'night_running',
  'not_answered',
  'quarantined',
  'waiting',
])
export type CoverageMissReason = z.output<typeof missReason>

/**
 * `GET /coverage/misses?day=&followed=`: invitations of one day that the product did not have by the first morning
 * after it.
 */
export const coverageMissesSchema = z.object({
  day: z.string(),
  total: z.number(),
  items: z.array(
    z.object({
      project_id: z.string(),
      title: z.string(),
      agency: z.string(),
      /**
       * `received_at` is null while the invitation is not in the product; `detail` is the reason of a quarantined row.
       */
      received_at: z.nullable(z.string()),
      reason: missReason,
      detail: z.nullable(z.string()),
    }),
  ),
  /** Invitations that the feed counted but never listed, so neither their names nor their numbers are known. */
  unlisted: z.array(z.object({ agency: z.string(), counted: z.number(), missing: z.number() })),
  unknown_total: z.number(),
  unknown: z.array(
    z.object({
      agency: z.string(),
      answered_at: z.nullable(z.string()),
      reason: z.enum(['never_answered', 'not_answering', 'not_asked']),
    }),
  ),
})
export type CoverageMisses = z.output<typeof coverageMissesSchema>

export const projectCoverageSchema = z.object({
  project_id: z.nullable(z.string()),
  /** When the project was first published in the product; null: not known. */
  since: z.nullable(z.string()),
  announcements: z.array(
    z.object({
      type: z.string(),
      published_on: z.string(),
      received_at: z.string(),
      /** False: received, but not in the product, because it waits or is quarantined. */
      is_published: z.boolean(),
      detail: z.nullable(z.string()),
    }),
  ),
})
export type ProjectCoverage = z.output<typeof projectCoverageSchema>
