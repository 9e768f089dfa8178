import { z } from 'zod/mini'

/**
 * `GET /projects/{id}/similar-prices`: winning prices of comparable work. Money is baht, dates ISO, unknown is null.
 */

const money = z.nullable(z.number())
const date = z.nullable(z.string())

/** Minimum number of prices for a band: with fewer, a single price decides each tail. Scopes widen until they have it. */
export const MIN_SIMILAR_PROJECTS = 9
/** Minimum number of prices for a median, quartiles and a ranking (D21). */
export const MIN_COMPARED_PRICES = 5
export const MAX_SIMILAR_PROJECTS = 200

/**
 * Comparison scopes, each wider than the previous one: the same agency; its ministry or type of agency; every agency;
 * decided in any year instead of the last three fiscal years; up to ten times larger or smaller instead of three.
 */
export const COMPARABLE_PRICE_SCOPES = ['agency', 'ministry', 'all', 'years', 'sizes'] as const
export type ComparablePriceScope = (typeof COMPARABLE_PRICE_SCOPES)[number]

/**
 * Range of discounts that contains about 80 % of awards, widened to whole tenths of a point, the precision of the page.
 * `basis` is `agency` if too few similar projects have a price: then it covers the agency's work of the same type,
 * method and size, whatever its name.
 */
export const priceBandSchema = z.object({
  low: z.number(),
  high: z.number(),
  n: z.number(),
  basis: z.enum(['similar', 'agency']),
})
export type PriceBand = z.output<typeof priceBandSchema>

/** Discounts of `n` projects as a fraction of the reference price; null if `n` is less than `MIN_COMPARED_PRICES`. */
const quartiles = { n: z.number(), p25: money, median: money, p75: money }

const similarProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  decided_date: date,
  estimate_budget: z.number(),
  winner_budget: z.number(),
  /** Discount as a fraction of the reference price: 0.118 is 11.8 % below it; negative when the price is above it. */
  discount: z.number(),
  /** Null: no winner was named, or a natural person won. */
  winner_name: z.nullable(z.string()),
  /** All bids, lowest first; empty when only the winner is available. */
  bids: z.array(z.number()),
  why: z.object({
    /** Words that both project names share, in the requested project's spelling, purchased items first. */
    words: z.array(z.string()),
    likeness: z.number(),
    buyer: z.nullable(z.enum(['unit', 'agency', 'ministry'])),
    is_same_province: z.boolean(),
    is_same_method: z.boolean(),
    /** Size of the larger project divided by that of the smaller one; null when one is unknown. */
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
export const similarProjectPricesSchema = z.object({
  scope: z.string(),
  /** Available scopes around this project, narrowest first, with project counts; `text` describes what each adds. */
  steps: z.array(z.object({ step: z.enum(COMPARABLE_PRICE_SCOPES), n: z.number(), text: z.string() })),
  /**
   * Applied scope: the requested one, else the narrowest with `MIN_SIMILAR_PROJECTS`, else the widest. Null: the name has no
   * words to compare.
   */
  step: z.nullable(z.enum(COMPARABLE_PRICE_SCOPES)),
  found: z.number(),
  n: z.number(),
  /** Includes projects with a doubtful reference price, which `references_in_doubt` counts; absent if there are none. */
  without_reference: z.number(),
  references_in_doubt: z.optional(z.number()),
  without_clear_price: z.number(),
  above_reference: z.number(),
  /**
   * Decided projects of the applied scope whose price was left out as doubtful, by the import or because it is more than
   * twice the reference price; absent if none.
   */
  amounts_in_doubt: z.optional(z.number()),
  median: money,
  p25: money,
  p75: money,
  weighted: money,
  band: z.nullable(priceBandSchema),
  no_band_reason: z.nullable(z.enum(['too_few', 'name_without_words'])),
  /**
   * Histogram in steps of 2.5 percentage points, `from` inclusive; the first bin has no lower bound, the last no upper
   * bound.
   */
  bins: z.array(z.object({ from: z.number(), count: z.number() })),
  winners: z.array(z.object({ name: z.string(), wins: z.number(), median: money })),
  from_date: date,
  to_date: date,
  results: z.array(similarProjectSchema),
  /** Discounts by group over the widest scope, regardless of the applied scope. */
  breakdown: z.object({
    n: z.number(),
    /** Figures by band of the reference price in baht, `from` inclusive and `to` exclusive; null means no bound. */
    bands: z.array(z.object({ from: money, to: money, ...quartiles })),
    agencies: z.array(z.object({ name: z.string(), is_own: z.boolean(), ...quartiles })),
    /** Figures by fiscal year, newest first; year 0 means unknown. */
    years: z.array(z.object({ year: z.number(), ...quartiles })),
  }),
})
export type SimilarProjectPrices = z.output<typeof similarProjectPricesSchema>
