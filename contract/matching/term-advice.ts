import { z } from 'zod/mini'

/**
 * Advice on terms that match only projects the user hides, and on terms of wanted projects that an AI word misses
 * (decision 0123), detected weekly from stars, decisions, hidden projects and exclusions. Each term is reported once;
 * only the user can change it.
 */

export const KEYWORD_TERM_ADVICE_PERIOD_DAYS = 180
export const MAX_KEYWORD_TERM_ADVICE_PER_WEEK = 3

const target = {
  keyword_id: z.int(),
  facet: z.int().check(z.gte(0), z.lte(20)),
  term: z.string().check(z.minLength(1), z.maxLength(200)),
}

const termAdviceSchema = z.object({
  ...target,
  word: z.string(),
  /**
   * Number of titles within `KEYWORD_TERM_ADVICE_PERIOD_DAYS` that only this term matched, including those removed by an exclusion.
   */
  shown: z.number(),
  hidden: z.number(),
  excluded: z.number(),
  titles: z.array(z.object({ project_id: z.string(), name: z.string() })),
})
export type KeywordTermAdvice = z.output<typeof termAdviceSchema>

const termAdditionSchema = z.object({
  ...target,
  word: z.string(),
  /** Number of wanted projects (starred, marked relevant, decided to bid) that contain the term and the word misses. */
  wanted: z.number(),
  /** Expected number of projects a month that the term adds to the word. */
  monthly: z.number(),
  /** Expected share of them that is right, 0 to 1. */
  likely_right: z.number(),
  titles: z.array(z.object({ project_id: z.string(), name: z.string() })),
})
export type KeywordTermAddition = z.output<typeof termAdditionSchema>

/**
 * `GET /organisations/me/term-advice`: what the user has neither applied nor refused. `advice`: terms to remove, most
 * certain first; `additions`: terms to add, highest expected gain first.
 */
export const keywordTermAdviceListSchema = z.object({
  advice: z.array(termAdviceSchema),
  additions: z.array(termAdditionSchema),
})
export type KeywordTermAdviceList = z.output<typeof keywordTermAdviceListSchema>

/**
 * `PUT /organisations/me/term-advice`: refuses advice permanently, or reverts the refusal. Sets an end state, so it can
 * be repeated.
 */
export const keywordTermAdviceDismissalSchema = z.object({ ...target, refused: z.boolean() })
