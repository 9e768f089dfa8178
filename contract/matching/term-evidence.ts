import { z } from 'zod/mini'
import { MAX_TERMS } from './keyword-term.ts'

/**
 * What each term of an AI keyword is worth, said by real titles: how many of the last year it brings that nothing else of the
 * keyword brings, and some of them. A person judges a term by what it adds, not by any titles that hold it (decision 0123).
 */

/** Days that the evidence looks back, today included. */
export const EVIDENCE_DAYS = 365
/** Titles shown for a term. */
export const EVIDENCE_SAMPLES = 3

const sided = { term: z.string().check(z.minLength(1), z.maxLength(200)), facet: z.int().check(z.gte(0), z.lte(20)) }

/** `POST /organisations/me/keywords/evidence`: all terms of one keyword, offered and acting. */
export const evidenceRequestSchema = z.object({
  // What was rejected stays in the list beside what counts.
  terms: z
    .array(z.object({ ...sided, /** Whether hits are looked for by it now. */ acts: z.boolean() }))
    .check(z.minLength(1), z.maxLength(4 * MAX_TERMS)),
})
export type EvidenceRequest = z.output<typeof evidenceRequestSchema>

export const termEvidenceSchema = z.object({
  term: z.string(),
  facet: z.number(),
  /** Titles of the year that hold it. */
  holds: z.number(),
  /** Of an acting term: titles that are found by nothing else of the keyword. Of another: titles that would come in. */
  adds: z.number(),
  /** Some of those, newest first. */
  samples: z.array(z.object({ project_id: z.string(), name: z.string() })),
})
export type TermEvidence = z.output<typeof termEvidenceSchema>

export const evidenceSchema = z.object({
  /** First and last day looked at, ISO; null without any project. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** Titles that were read. */
  titles: z.number(),
  /** Which part of the year's titles those are, above 0 to 1: below 1 the counts are what the read ones make likely. */
  share: z.number(),
  /** In the order of the request. */
  terms: z.array(termEvidenceSchema),
})
export type Evidence = z.output<typeof evidenceSchema>
