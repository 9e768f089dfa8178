import { z } from 'zod/mini'

/**
 * Terms of an AI keyword (matching by meaning): generated when the keyword is saved, visible and editable. Titles are
 * matched by terms only, never by a hidden score.
 */

export const KEYWORD_TERM_SOURCES = ['literal', 'learned', 'dictionary', 'provider', 'user'] as const
export type KeywordTermSource = (typeof KEYWORD_TERM_SOURCES)[number]

/**
 * `auto`: similar enough to be active by default; `approved`: selected by a user; `suggested`: inactive until selected;
 * `rejected`: deselected.
 */
const KEYWORD_TERM_STATES = ['auto', 'approved', 'suggested', 'rejected'] as const
export type KeywordTermState = (typeof KEYWORD_TERM_STATES)[number]

export const keywordTermSchema = z.object({
  term: z.string(),
  source: z.enum(KEYWORD_TERM_SOURCES),
  state: z.enum(KEYWORD_TERM_STATES),
  /** Similarity to the keyword, 0 to 1; 1 for the keyword itself and for terms that a user typed. */
  similarity: z.number(),
  /**
   * 0: the term matches alone. From 1: the part of the keyword that the term covers ("ปรับปรุง" and "ถนน" of
   * "ปรับปรุงถนน"); a title matches only with a term of every part.
   */
  facet: z.number(),
  /** Number of titles in the model's training data that contain the term; null if none does. */
  title_count: z.nullable(z.number()),
  samples: z.array(z.string()),
  /** True if the state results from answers about titles (`keyword-training.ts`), not from a manual selection. */
  taught: z.optional(z.boolean()),
})
export type KeywordTerm = z.output<typeof keywordTermSchema>

export const MAX_KEYWORD_TERM_LENGTH = 60
export const MAX_TERMS_PER_KEYWORD = 60

/** Exclusions hide tenders silently, so `ai_exclude` uses only terms that a user typed or selected. */
export function isKeywordTermActive(
  list: 'ai_include' | 'ai_exclude',
  { source, state }: Pick<KeywordTerm, 'source' | 'state'>,
): boolean {
  if (state === 'rejected' || state === 'suggested') return false
  return list === 'ai_include' || state === 'approved' || source === 'literal' || source === 'user'
}

export const keywordTermExpansionSchema = z.object({
  engine: z.string(),
  /** False if no part of the keyword is in the learned vocabulary; the keyword then matches only itself. */
  known: z.boolean(),
  terms: z.array(keywordTermSchema),
})
export type KeywordTermExpansion = z.output<typeof keywordTermExpansionSchema>

export const expandKeywordRequestSchema = z.object({ word: z.string().check(z.minLength(1), z.maxLength(200)) })

export const keywordWithTermsSchema = z.object({
  keyword_id: z.number(),
  known: z.boolean(),
  terms: z.array(keywordTermSchema),
})
export type KeywordWithTerms = z.output<typeof keywordWithTermsSchema>
export const keywordTermsSchema = z.object({ engine: z.string(), keywords: z.array(keywordWithTermsSchema) })
export type KeywordTerms = z.output<typeof keywordTermsSchema>

const sidedTermsSchema = z.optional(
  z
    .array(z.object({ term: z.string().check(z.maxLength(200)), facet: z.int() }))
    .check(z.maxLength(4 * MAX_TERMS_PER_KEYWORD)),
)
/**
 * Resolves differences between the engine's current terms and the stored ones (`term-changes.ts`). `take`: apply;
 * `leave`: ignore permanently; `back`: undo either. Terms that a user decided in the meantime stay unchanged.
 */
const renewTermsSchema = z.object({ take: sidedTermsSchema, leave: sidedTermsSchema, back: sidedTermsSchema })
export type KeywordTermChangeDecisions = z.output<typeof renewTermsSchema>

/**
 * `PATCH /organisations/me/keywords/:id/terms`: selects, deselects and adds terms; `reset` discards these decisions.
 */
export const keywordTermSelectionSchema = z.object({
  renew: z.optional(renewTermsSchema),
  approve: z.optional(z.array(z.string()).check(z.maxLength(200))),
  reject: z.optional(z.array(z.string()).check(z.maxLength(200))),
  add: z.optional(z.array(z.string()).check(z.maxLength(MAX_TERMS_PER_KEYWORD))),
  reset: z.optional(z.boolean()),
})
export type KeywordTermSelection = z.output<typeof keywordTermSelectionSchema>
