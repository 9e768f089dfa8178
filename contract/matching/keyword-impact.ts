import { z } from 'zod/mini'
import { KEYWORD_LIST_CODES } from '../account/organisation.ts'

/**
 * Effect of watch words on the report: previews (N2, N3), statistics, projects removed by exclusions (N1), and why a
 * project is missing (N11). Money is in baht, dates are ISO, null means unknown.
 */

/**
 * Number of new projects per working day that a person can read: fewer means that the words are too narrow, more is
 * noise (product 5.3, our choice).
 */
export const KEYWORD_NOISE_THRESHOLDS = { least: 3, most: 30, ignored: 100 } as const
export const KEYWORD_NOISE_LEVELS = ['too_few', 'good', 'many', 'too_many'] as const
export type KeywordNoiseLevel = (typeof KEYWORD_NOISE_LEVELS)[number]

export function getKeywordNoiseLevel(perWorkingDay: number): KeywordNoiseLevel {
  if (perWorkingDay < KEYWORD_NOISE_THRESHOLDS.least) return 'too_few'
  if (perWorkingDay <= KEYWORD_NOISE_THRESHOLDS.most) return 'good'
  return perWorkingDay <= KEYWORD_NOISE_THRESHOLDS.ignored ? 'many' : 'too_many'
}

/** Number of days, including today, that previews and statistics cover. */
export const KEYWORD_IMPACT_DAYS = 30

const keywordImpactProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  budget: z.nullable(z.number()),
  movement_date: z.nullable(z.string()),
  words: z.array(z.string()),
  page: z.optional(z.number()),
})
export type KeywordImpactProject = z.output<typeof keywordImpactProjectSchema>

export const keywordPreviewSchema = z.object({
  days: z.number(),
  looked_at: z.number(),
  before: z.number(),
  after: z.number(),
  /** Projects that enter and leave the report: `after - before = added - removed`. */
  added: z.number(),
  removed: z.number(),
  per_working_day: z.number(),
  level: z.enum(KEYWORD_NOISE_LEVELS),
  added_samples: z.array(keywordImpactProjectSchema),
  removed_samples: z.array(keywordImpactProjectSchema),
  after_samples: z.array(keywordImpactProjectSchema),
  /**
   * Longer words that contain an added include word by accident ("ยา" in "ยางรถยนต์"), most frequent first. Each has
   * the number of added projects that excluding `word` would remove, and up to two titles.
   */
  traps: z.array(z.object({ of: z.string(), word: z.string(), count: z.number(), samples: z.array(z.string()) })),
  /**
   * Stored words that match most of an added word's projects, with their share of these (0 to 1). `conflicts`:
   * exclusions, stored or added, that remove matches of an added include word.
   */
  overlaps: z.array(z.object({ of: z.string(), keyword_id: z.number(), word: z.string(), share: z.number() })),
  conflicts: z.array(z.object({ of: z.string(), word: z.string(), count: z.number() })),
})
export type KeywordPreview = z.output<typeof keywordPreviewSchema>

export const keywordStatsSchema = z.object({
  days: z.number(),
  data_time: z.nullable(z.string()),
  keywords: z.array(
    z.object({
      id: z.number(),
      /**
       * For include lists, the number of matching projects in the report; for exclude lists, the number of projects
       * removed from it.
       */
      hits: z.number(),
      /** How many of `hits` no other word matches (or removes), and how many match only in a public document. */
      only: z.number(),
      in_documents: z.optional(z.number()),
    }),
  ),
  /**
   * Figures by switch: matches in the latest load, matches in the last 30 days, and how many projects would leave the
   * 30-day report if the switch were off.
   */
  switches: z.record(
    z.enum(['search_by_name', 'search_by_ai', 'search_by_deptsub']),
    z.object({ today: z.number(), days: z.number(), only: z.number() }),
  ),
  per_working_day: z.number(),
  level: z.enum(KEYWORD_NOISE_LEVELS),
  hidden: z.number(),
})
export type KeywordStats = z.output<typeof keywordStatsSchema>

/**
 * `GET /organisations/me/hidden?days=&keyword=&rescued=&page=&page_size=`: the exclusion ledger, which lists projects
 * hidden by exclusion words. `list` is that of the excluding word, even if the project has since been rescued.
 */
const excludedProjectRowSchema = z.object({
  ...keywordImpactProjectSchema.shape,
  list: z.enum(KEYWORD_LIST_CODES),
  word: z.string(),
  guilty_words: z.array(z.string()),
  rescued: z.boolean(),
})
export type ExcludedProjectRow = z.output<typeof excludedProjectRowSchema>
export const excludedProjectsSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total_project: z.number(),
  page: z.number(),
  page_size: z.number(),
  results: z.array(excludedProjectRowSchema),
  words: z.array(z.object({ list: z.enum(KEYWORD_LIST_CODES), word: z.string(), count: z.number() })),
  rescued: z.number(),
})
export type ExcludedProjectsResponse = z.output<typeof excludedProjectsSchema>

export const MATCH_EXPLANATION_RULES = [
  'known',
  'include',
  'exclude',
  'budget',
  'province',
  'window',
  'hidden_by_you',
  'archived',
] as const
export const matchExplanationSchema = z.object({
  project: z.nullable(keywordImpactProjectSchema),
  in_report: z.boolean(),
  rules: z.array(
    z.object({
      rule: z.enum(MATCH_EXPLANATION_RULES),
      passed: z.boolean(),
      text: z.string(),
      words: z.array(z.object({ list: z.enum(KEYWORD_LIST_CODES), word: z.string() })),
    }),
  ),
})
export type MatchExplanation = z.output<typeof matchExplanationSchema>
