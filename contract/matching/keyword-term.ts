import { z } from 'zod/mini'

/**
 * The terms that an AI keyword stands for (matching by meaning): made when the keyword is saved, visible, and the user's to
 * change. A title is matched by terms only, never by a hidden score.
 */

/** Where a term comes from: the keyword itself, e-GP titles, the reviewed dictionary, a configured provider, or a user who typed it. */
export const TERM_SOURCES = ['literal', 'learned', 'dictionary', 'provider', 'user'] as const
export type TermSource = (typeof TERM_SOURCES)[number]

/** `auto`: close enough to take part unasked; `approved`: ticked by a user; `suggested`: waits for a tick; `rejected`: unticked. */
export const TERM_STATES = ['auto', 'approved', 'suggested', 'rejected'] as const
export type TermState = (typeof TERM_STATES)[number]

export const keywordTermSchema = z.object({
  term: z.string(),
  source: z.enum(TERM_SOURCES),
  state: z.enum(TERM_STATES),
  /** How close the term is to the keyword, 0 to 1; 1 for the keyword itself and what a user typed. */
  similarity: z.number(),
  /**
   * 0: the term alone is a hit. From 1: one side of the keyword ("ปรับปรุง" and "ถนน" of "ปรับปรุงถนน"); a title is a hit when it has
   * a term of every side.
   */
  facet: z.number(),
  /** Titles among those the model learned from that contain it; null for what was never seen there. */
  title_count: z.nullable(z.number()),
  /** Up to two real titles that contain it, of the projects in this database. */
  samples: z.array(z.string()),
  /** `approved` or `rejected` follows from answers about titles (`lesson.ts`), not from a tick. */
  taught: z.optional(z.boolean()),
})
export type KeywordTerm = z.output<typeof keywordTermSchema>

/** Longest term, and most terms of one keyword that take part or wait. */
export const MAX_TERM_LENGTH = 60
export const MAX_TERMS = 60

/**
 * Whether the term takes part in matching. An exclusion hides tenders silently, so in `ai_exclude` only what a user typed or
 * ticked counts.
 */
export function takesPart(
  list: 'ai_include' | 'ai_exclude',
  { source, state }: Pick<KeywordTerm, 'source' | 'state'>,
): boolean {
  if (state === 'rejected' || state === 'suggested') return false
  return list === 'ai_include' || state === 'approved' || source === 'literal' || source === 'user'
}

/** What is known of a keyword's meaning, before it is saved and after. */
export const expansionSchema = z.object({
  /** Which engine made it, as settings and help name it: the built-in one, or provider and model. */
  engine: z.string(),
  /** False: no part of the keyword stands in the learned vocabulary, so it finds only itself. */
  known: z.boolean(),
  terms: z.array(keywordTermSchema),
})
export type Expansion = z.output<typeof expansionSchema>

/** `POST /organisations/me/keywords/expand`: what a word would stand for. */
export const expandRequestSchema = z.object({ word: z.string().check(z.minLength(1), z.maxLength(200)) })

/** The terms of one stored keyword; also the answer to `PATCH /organisations/me/keywords/:id/terms`. */
export const termsOfKeywordSchema = z.object({
  keyword_id: z.number(),
  known: z.boolean(),
  terms: z.array(keywordTermSchema),
})
export type TermsOfKeyword = z.output<typeof termsOfKeywordSchema>
/** `GET /organisations/me/keyword-terms`: the terms of every word of the AI lists. */
export const keywordTermsSchema = z.object({ engine: z.string(), keywords: z.array(termsOfKeywordSchema) })
export type KeywordTerms = z.output<typeof keywordTermsSchema>

const sidedTermsSchema = z.optional(
  z.array(z.object({ term: z.string().check(z.maxLength(200)), facet: z.int() })).check(z.maxLength(4 * MAX_TERMS)),
)
/**
 * What becomes of terms that the engine gives today and did not on the day the word was saved, or the other way round (`term-news.ts`). `take`: as
 * today; `leave`: as they are, and never told of again; `back`: neither was said. Terms that were decided meanwhile stay.
 */
const renewTermsSchema = z.object({ take: sidedTermsSchema, leave: sidedTermsSchema, back: sidedTermsSchema })
export type RenewTerms = z.output<typeof renewTermsSchema>

/** `PATCH /organisations/me/keywords/:id/terms`: ticks, unticks, adds a user's own; `reset` forgets what was ticked and unticked. */
export const changeTermsSchema = z.object({
  renew: z.optional(renewTermsSchema),
  approve: z.optional(z.array(z.string()).check(z.maxLength(200))),
  reject: z.optional(z.array(z.string()).check(z.maxLength(200))),
  add: z.optional(z.array(z.string()).check(z.maxLength(MAX_TERMS))),
  reset: z.optional(z.boolean()),
})
export type ChangeTerms = z.output<typeof changeTermsSchema>
