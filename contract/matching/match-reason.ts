import { z } from 'zod/mini'
import { KEYWORD_TERM_SOURCES } from './keyword-term.ts'

export const matchReasonSchema = z.object({
  list: z.enum(['include', 'ai_include', 'deptsub_include']),
  /**
   * The matching entry of a watch list as the organisation wrote it; for `deptsub_include` the name of a unit or
   * department.
   */
  word: z.string(),
  group: z.nullable(z.string()),
  terms: z.array(
    z.object({
      term: z.string(),
      source: z.enum(KEYWORD_TERM_SOURCES),
      similarity: z.number(),
      approved: z.boolean(),
      /** Part of the entry that the term covers ("ปรับปรุง" of "ปรับปรุงถนน"); null for a term that matches alone. */
      side: z.nullable(z.string()),
    }),
  ),
  /** Page of a public document that contains the word; set if the project name does not contain it (decision 0120). */
  page: z.optional(z.nullable(z.number())),
})
export type MatchReason = z.output<typeof matchReasonSchema>
