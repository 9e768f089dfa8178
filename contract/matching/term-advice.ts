import { z } from 'zod/mini'

/**
 * Advice on terms that match only projects the user hides (decision 0123), detected weekly from stars, hidden projects
 * and exclusions. Each term is reported once; only the user can deactivate it.
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

/** `GET /organisations/me/term-advice`: advice that the user has neither applied nor refused, most certain first. */
export const keywordTermAdviceListSchema = z.object({ advice: z.array(termAdviceSchema) })
export type KeywordTermAdviceList = z.output<typeof keywordTermAdviceListSchema>

/**
 * `PUT /organisations/me/term-advice`: refuses advice permanently, or reverts the refusal. Sets an end state, so it can
 * be repeated.
 */
export const keywordTermAdviceDismissalSchema = z.object({ ...target, refused: z.boolean() })
export type KeywordTermAdviceDismissal = z.output<typeof keywordTermAdviceDismissalSchema>
