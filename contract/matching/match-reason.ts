import { z } from 'zod/mini'
import { TERM_SOURCES } from './keyword-term.ts'

/** One entry of the watch lists that let a project in. */
export const matchReasonSchema = z.object({
  list: z.enum(['include', 'ai_include', 'deptsub_include']),
  /** The entry as the organisation wrote it; a unit's or department's name for `deptsub_include`. */
  word: z.string(),
  /** Name of its group, if it has one. */
  group: z.nullable(z.string()),
  /** AI entries: the terms that stand in the name, and how the entry came to them. */
  terms: z.array(
    z.object({
      term: z.string(),
      source: z.enum(TERM_SOURCES),
      similarity: z.number(),
      approved: z.boolean(),
      /** The part of the entry that it stands for ("ปรับปรุง" of "ปรับปรุงถนน"); null for a term that is a hit alone. */
      side: z.nullable(z.string()),
    }),
  ),
  /** The word does not stand in the name, but on this page of a public document (decision 0120). */
  page: z.optional(z.nullable(z.number())),
})
export type MatchReason = z.output<typeof matchReasonSchema>
