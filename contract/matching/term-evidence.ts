import { z } from 'zod/mini'
import { MAX_TERMS_PER_KEYWORD } from './keyword-term.ts'

/**
 * Contribution of each term of an AI keyword: the titles of the last year that only this term matches, with examples. A
 * term is judged by what it adds, not by every title that contains it (decision 0123).
 */

export const KEYWORD_TERM_EVIDENCE_DAYS = 365
export const MAX_KEYWORD_TERM_EVIDENCE_SAMPLES = 3

const sided = { term: z.string().check(z.minLength(1), z.maxLength(200)), facet: z.int().check(z.gte(0), z.lte(20)) }

export const keywordTermEvidenceRequestSchema = z.object({
  // Includes rejected terms, because they remain in the list next to active ones.
  terms: z
    .array(z.object({ ...sided, /** True if the keyword currently matches by this term. */ acts: z.boolean() }))
    .check(z.minLength(1), z.maxLength(4 * MAX_TERMS_PER_KEYWORD)),
})
export type KeywordTermEvidenceRequest = z.output<typeof keywordTermEvidenceRequestSchema>

const keywordTermEvidenceSchema = z.object({
  term: z.string(),
  facet: z.number(),
  holds: z.number(),
  /**
   * For an active term: titles that no other term of the keyword matches. For any other term: titles that activating it
   * would add.
   */
  adds: z.number(),
  samples: z.array(z.object({ project_id: z.string(), name: z.string() })),
})
export type KeywordTermEvidence = z.output<typeof keywordTermEvidenceSchema>

export const keywordTermEvidenceResponseSchema = z.object({
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  titles: z.number(),
  /** Share of the year's titles that was evaluated, above 0 up to 1; below 1 the counts are extrapolated. */
  share: z.number(),
  terms: z.array(keywordTermEvidenceSchema),
})
export type KeywordTermEvidenceResponse = z.output<typeof keywordTermEvidenceResponseSchema>
