import { z } from 'zod/mini'
import { KEYWORD_LISTS } from '../account/organisation.ts'

/**
 * What words do to the report: before they are saved (N2, N3), since they were (statistics), what exclusions hid (N1), and why a project is
 * not there (N11). Money is baht, dates are ISO, unknown is null.
 */

/** New projects per working day that a person can read: fewer is too narrow, more is noise (product 5.3, our choice). */
export const NOISE_BAND = { least: 3, most: 30, ignored: 100 } as const
export const NOISE_LEVELS = ['too_few', 'good', 'many', 'too_many'] as const
export type NoiseLevel = (typeof NOISE_LEVELS)[number]

export function noiseLevel(perWorkingDay: number): NoiseLevel {
  if (perWorkingDay < NOISE_BAND.least) return 'too_few'
  if (perWorkingDay <= NOISE_BAND.most) return 'good'
  return perWorkingDay <= NOISE_BAND.ignored ? 'many' : 'too_many'
}

/** Days that previews and statistics look back, today included. */
export const IMPACT_DAYS = 30

/** A project as lists beside words show it. */
export const impactProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  budget: z.nullable(z.number()),
  movement_date: z.nullable(z.string()),
  /** To be highlighted in `name`. */
  words: z.array(z.string()),
  /** No word of the lists stands in the name, but one on this page of a public document. */
  page: z.optional(z.number()),
})
export type ImpactProject = z.output<typeof impactProjectSchema>

export const previewSchema = z.object({
  days: z.number(),
  /** Projects announced in those days that the preview looked at. */
  looked_at: z.number(),
  before: z.number(),
  after: z.number(),
  /** Projects that come in and that leave: `after - before = added - removed`. */
  added: z.number(),
  removed: z.number(),
  per_working_day: z.number(),
  level: z.enum(NOISE_LEVELS),
  /** Up to 20, newest first. */
  added_samples: z.array(impactProjectSchema),
  removed_samples: z.array(impactProjectSchema),
  /** All that would be in the report, up to 20, newest first. */
  after_samples: z.array(impactProjectSchema),
  /**
   * Longer words that contain an added include word by accident ("ยา" in "ยางรถยนต์"), most frequent first: how many of the added projects go when
   * `word` is excluded, and up to two titles.
   */
  traps: z.array(z.object({ of: z.string(), word: z.string(), count: z.number(), samples: z.array(z.string()) })),
  /** Stored words that find most of what an added one finds: its share (0 to 1). */
  overlaps: z.array(z.object({ of: z.string(), keyword_id: z.number(), word: z.string(), share: z.number() })),
  /** Stored or added exclusions that take away what an added include word finds. */
  conflicts: z.array(z.object({ of: z.string(), word: z.string(), count: z.number() })),
})
export type Preview = z.output<typeof previewSchema>

/** `GET /organisations/me/keyword-stats`: what each word did in the last 30 days. */
export const keywordStatsSchema = z.object({
  days: z.number(),
  /** Moment of the load the figures stand on, UTC ISO; null before the first. */
  data_time: z.nullable(z.string()),
  keywords: z.array(
    z.object({
      id: z.number(),
      /** Include lists: projects in the report that it finds. Exclude lists: projects that it keeps out. */
      hits: z.number(),
      /** Of these, those that no other word finds (or keeps out). */
      only: z.number(),
      /** Of the first, those that it finds in a public document and not in the name. */
      in_documents: z.optional(z.number()),
    }),
  ),
  /** By switch: found in the latest load, in the 30 days, and how many would leave the report of the 30 days without it. */
  switches: z.record(
    z.enum(['search_by_name', 'search_by_ai', 'search_by_deptsub']),
    z.object({ today: z.number(), days: z.number(), only: z.number() }),
  ),
  /** New projects per working day over the 30 days. */
  per_working_day: z.number(),
  level: z.enum(NOISE_LEVELS),
  /** Kept out by exclusions in the 30 days. */
  hidden: z.number(),
})
export type KeywordStats = z.output<typeof keywordStatsSchema>

/** `GET /organisations/me/hidden?days=&keyword=&rescued=&page=&page_size=`: the exclusion ledger. */
export const ledgerRowSchema = z.object({
  ...impactProjectSchema.shape,
  /** The word that keeps it out, or kept it out before it was rescued. */
  list: z.enum(KEYWORD_LISTS),
  word: z.string(),
  /** Where the guilty word stands in the name: to be highlighted as such. */
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
  /** How many projects each word excludes in those days, the largest count first; rescued projects are not counted. */
  words: z.array(z.object({ list: z.enum(KEYWORD_LISTS), word: z.string(), count: z.number() })),
  rescued: z.number(),
})
export type Ledger = z.output<typeof ledgerSchema>

/** The rules of D8 in the order in which the screen lists them. */
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
      /** In Thai, with the words, amounts and dates that decided. */
      text: z.string(),
      /** Words that decided, with their list. */
      words: z.array(z.object({ list: z.enum(KEYWORD_LISTS), word: z.string() })),
    }),
  ),
})
export type Why = z.output<typeof whySchema>
