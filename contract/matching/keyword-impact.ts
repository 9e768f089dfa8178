import { z } from 'zod/mini'
import { KEYWORD_LISTS } from '../account/organisation.ts'

/**
 * Effect of watch words on the report: previews (N2, N3), statistics, projects removed by exclusions (N1), and why a
 * project is missing (N11). Money is in baht, dates are ISO, null means unknown.
 */

/**
 * New projects per working day that a person can read: fewer is too narrow, more is noise (product 5.3, our choice).
 */
export const NOISE_BAND = { least: 3, most: 30, ignored: 100 } as const
export const NOISE_LEVELS = ['too_few', 'good', 'many', 'too_many'] as const
export type NoiseLevel = (typeof NOISE_LEVELS)[number]

export function noiseLevel(perWorkingDay: number): NoiseLevel {
  if (perWorkingDay < NOISE_BAND.least) return 'too_few'
  if (perWorkingDay <= NOISE_BAND.most) return 'good'
  return perWorkingDay <= NOISE_BAND.ignored ? 'many' : 'too_many'
}

/** Period of previews and statistics, including today. */
export const IMPACT_DAYS = 30

export const impactProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  budget: z.nullable(z.number()),
  movement_date: z.nullable(z.string()),
  words: z.array(z.string()),
  page: z.optional(z.number()),
})
export type ImpactProject = z.output<typeof impactProjectSchema>

export const previewSchema = z.object({
  days: z.number(),
  looked_at: z.number(),
  before: z.number(),
  after: z.number(),
  /** Projects that enter and leave: `after - before = added - removed`. */
  added: z.number(),
  removed: z.number(),
  per_working_day: z.number(),
  level: z.enum(NOISE_LEVELS),
  added_samples: z.array(impactProjectSchema),
  removed_samples: z.array(impactProjectSchema),
  after_samples: z.array(impactProjectSchema),
  /**
   * Longer words that contain an added include word by accident ("ยา" in "ยางรถยนต์"), most frequent first: number of
   * added projects removed by excluding `word`, and up to two titles.
   */
  traps: z.array(z.object({ of: z.string(), word: z.string(), count: z.number(), samples: z.array(z.string()) })),
  /** Stored words that match most projects of an added one, with the share (0 to 1). */
  overlaps: z.array(z.object({ of: z.string(), keyword_id: z.number(), word: z.string(), share: z.number() })),
  /** Stored or added exclusions that remove matches of an added include word. */
  conflicts: z.array(z.object({ of: z.string(), word: z.string(), count: z.number() })),
})
export type Preview = z.output<typeof previewSchema>

/** `GET /organisations/me/keyword-stats`: results of each word in the last 30 days. */
export const keywordStatsSchema = z.object({
  days: z.number(),
  data_time: z.nullable(z.string()),
  keywords: z.array(
    z.object({
      id: z.number(),
      /** Include lists: matching projects in the report. Exclude lists: projects removed from it. */
      hits: z.number(),
      /** Of `hits`, projects that no other word matches (or removes). */
      only: z.number(),
      /** Of `hits`, projects matched in a public document and not in the name. */
      in_documents: z.optional(z.number()),
    }),
  ),
  /**
   * By switch: matches in the latest load, in the 30 days, and how many would leave the 30-day report without the
   * switch.
   */
  switches: z.record(
    z.enum(['search_by_name', 'search_by_ai', 'search_by_deptsub']),
    z.object({ today: z.number(), days: z.number(), only: z.number() }),
  ),
  per_working_day: z.number(),
  level: z.enum(NOISE_LEVELS),
  hidden: z.number(),
})
export type KeywordStats = z.output<typeof keywordStatsSchema>

/** `GET /organisations/me/hidden?days=&keyword=&rescued=&page=&page_size=`: the exclusion ledger. */
export const ledgerRowSchema = z.object({
  ...impactProjectSchema.shape,
  /** The excluding word, even if the project was rescued since. */
  list: z.enum(KEYWORD_LISTS),
  word: z.string(),
  guilty_words: z.array(z.string()),
  rescued: z.boolean(),
})
export type LedgerRow = z.output<typeof ledgerRowSchema>
export const ledgerSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total_project: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(ledgerRowSchema),
  words: z.array(z.object({ list: z.enum(KEYWORD_LISTS), word: z.string(), count: z.number() })),
  rescued: z.number(),
})
export type Ledger = z.output<typeof ledgerSchema>

export const WHY_RULES = [
  'known',
  'include',
  'exclude',
  'budget',
  'province',
  'window',
  'hidden_by_you',
  'archived',
] as const
/** `GET /projects/{id}/why`: rule by rule, why the project is or is not in the report. */
export const whySchema = z.object({
  project: z.nullable(impactProjectSchema),
  in_report: z.boolean(),
  rules: z.array(
    z.object({
      rule: z.enum(WHY_RULES),
      passed: z.boolean(),
      text: z.string(),
      words: z.array(z.object({ list: z.enum(KEYWORD_LISTS), word: z.string() })),
    }),
  ),
})
export type Why = z.output<typeof whySchema>
