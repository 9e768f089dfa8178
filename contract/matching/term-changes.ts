import { z } from 'zod/mini'
import { keywordTermSchema } from './keyword-term.ts'

/**
 * Differences between the engine's current terms of a saved word and the stored ones. Stored terms never change
 * automatically, so reports stay stable; the user applies or ignores each difference (decision 0123).
 */

const engineTermSchema = z.omit(keywordTermSchema, { samples: true, taught: true })
export type ChangedKeywordTerm = z.output<typeof engineTermSchema>

const keywordTermChangesSchema = z.object({
  keyword_id: z.number(),
  /**
   * `gained`: terms that would be active by default if the word were saved now, but are not. `lost`: terms that the
   * engine activated when the word was saved and would not activate now.
   */
  gained: z.array(engineTermSchema),
  lost: z.array(engineTermSchema),
})
export type KeywordTermChanges = z.output<typeof keywordTermChangesSchema>

/** `GET /organisations/me/keyword-terms/news`: only `ai_include` words with a difference. */
export const keywordTermChangesResponseSchema = z.object({ keywords: z.array(keywordTermChangesSchema) })
export type KeywordTermChangesResponse = z.output<typeof keywordTermChangesResponseSchema>
