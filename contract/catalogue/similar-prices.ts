import { z } from 'zod/mini'

/**
 * `GET /projects/{id}/similar-prices`: winning prices of comparable work. Money is baht, dates ISO, unknown is null.
 */

const money = z.nullable(z.number())
const date = z.nullable(z.string())

export const MIN_SIMILAR_PROJECTS = 8
/** Minimum for a median, quartiles and a ranking (D21). */
export const MIN_PRICES = 5
export const MAX_SIMILAR_PROJECTS = 200

/**
 * Scopes, each wider than the previous one: the same agency; its ministry or type of body; every agency; decided in any
 * year instead of the last three fiscal years; up to ten times larger or smaller instead of three.
 */
export const SIMILAR_STEPS = ['agency', 'ministry', 'all', 'years', 'sizes'] as const
export type SimilarStep = (typeof SIMILAR_STEPS)[number]

/** Discounts of `n` projects as a fraction of the reference price; null below `MIN_PRICES`. */
const quartiles = { n: z.number(), p25: money, median: money, p75: money }

export const similarProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  decided_date: date,
  estimate_budget: z.number(),
  winner_budget: z.number(),
  /** Fraction below the reference price: 0.118 is 11.8 %; negative is above it. */
  discount: z.number(),
  /** Null: no winner was named, or a natural person won. */
  winner_name: z.nullable(z.string()),
  /** All bids, lowest first; empty when only the winner is available. */
  bids: z.array(z.number()),
  why: z.object({
    /** Shared words in the requested project's spelling, purchased items first. */
    words: z.array(z.string()),
    likeness: z.number(),
    buyer: z.nullable(z.enum(['unit', 'agency', 'ministry'])),
    is_same_province: z.boolean(),
    is_same_method: z.boolean(),
    /** Ratio of the sizes; null when one is unknown. */
    times: money,
  }),
  in_report: z.boolean(),
})
export type SimilarProject = z.output<typeof similarProjectSchema>

/**
 * Includes only decided projects with one winner and a reference price (D20). Prices above it count as negative
 * discounts; a consortium is one winner. Projects without a reference price, and those with several winners or
 * contracts for a different sum, are counted separately. Cancelled projects are excluded.
 */
export const similarPricesSchema = z.object({
  scope: z.string(),
  /** Available scopes around this project, narrowest first, with project counts; `text` describes what each adds. */
  steps: z.array(z.object({ step: z.enum(SIMILAR_STEPS), n: z.number(), text: z.string() })),
  /**
   * Applied scope: the requested one, else the narrowest with `MIN_SIMILAR_PROJECTS`, else the widest. Null: the name has no
   * words to compare.
   */
  step: z.nullable(z.enum(SIMILAR_STEPS)),
  found: z.number(),
  n: z.number(),
  without_reference: z.number(),
  without_clear_price: z.number(),
  above_reference: z.number(),
  median: money,
  p25: money,
  p75: money,
  weighted: money,
  /** In steps of 2.5 points, `from` inclusive; the first bin is open below, the last above. */
  bins: z.array(z.object({ from: z.number(), count: z.number() })),
  winners: z.array(z.object({ name: z.string(), wins: z.number(), median: money })),
  from_date: date,
  to_date: date,
  results: z.array(similarProjectSchema),
  /** Discounts over the widest scope, independent of the applied one. */
  breakdown: z.object({
    n: z.number(),
    /** By reference price in baht, `from` inclusive and `to` exclusive; null is open. */
    bands: z.array(z.object({ from: money, to: money, ...quartiles })),
    agencies: z.array(z.object({ name: z.string(), is_own: z.boolean(), ...quartiles })),
    /** Fiscal years, newest first; 0 is unknown. */
    years: z.array(z.object({ year: z.number(), ...quartiles })),
  }),
})
export type SimilarPrices = z.output<typeof similarPricesSchema>
