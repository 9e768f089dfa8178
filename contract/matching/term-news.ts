import { z } from 'zod/mini'
import { keywordTermSchema } from './keyword-term.ts'

/**
 * Differences between the engine's current terms of a saved word and the stored ones. Stored terms never change
 * automatically, so that reports stay stable; the user applies or ignores each difference (decision 0123).
 */

const newsTermSchema = z.omit(keywordTermSchema, { samples: true, taught: true })
export type NewsTerm = z.output<typeof newsTermSchema>

export const newsOfKeywordSchema = z.object({
  keyword_id: z.number(),
  /** Terms that would now be active by default but are not. */
  gained: z.array(newsTermSchema),
  /** Terms that the engine activated when the word was saved and would not activate now. */
  lost: z.array(newsTermSchema),
})
export type NewsOfKeyword = z.output<typeof newsOfKeywordSchema>

/** `GET /organisations/me/keyword-terms/news`: only `ai_include` words with a difference. */
export const termNewsSchema = z.object({ keywords: z.array(newsOfKeywordSchema) })
export type TermNews = z.output<typeof termNewsSchema>
