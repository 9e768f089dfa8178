import { z } from 'zod/mini'
import { keywordTermSchema } from './keyword-term.ts'

/**
 * What the engine makes of a saved word today and did not on the day it was saved. A word keeps the terms of that day, so that nothing in a
 * report changes by itself; the difference is told, and a person takes it or leaves it (decision 0123).
 */

const newsTermSchema = z.omit(keywordTermSchema, { samples: true, taught: true })
export type NewsTerm = z.output<typeof newsTermSchema>

export const newsOfKeywordSchema = z.object({
  keyword_id: z.number(),
  /** Terms that would act unasked today and do not act. */
  gained: z.array(newsTermSchema),
  /** Terms that act because the engine let them on that day, and would not today. */
  lost: z.array(newsTermSchema),
})
export type NewsOfKeyword = z.output<typeof newsOfKeywordSchema>

/** `GET /organisations/me/keyword-terms/news`: words of `ai_include` with a difference, and no others. */
export const termNewsSchema = z.object({ keywords: z.array(newsOfKeywordSchema) })
export type TermNews = z.output<typeof termNewsSchema>
