import { z } from 'zod/mini'

/** `GET /projects/{id}/similar-prices`: at which prices work that is truly similar was won. Money is baht, dates ISO, unknown is null. */

const money = z.nullable(z.number())
const date = z.nullable(z.string())

/** With fewer projects a circle is widened by the next step. */
export const ENOUGH_SIMILAR = 8
/** With fewer no median and no quartile is said, and nothing is ranked (D21). */
export const FEWEST_PRICES = 5
/** So many of a circle are taken, the closest. */
export const MOST_SIMILAR = 200

/**
 * The circles, each within the next: the same agency; its ministry, or its kind of body; every agency; decided in any year instead of the last three fiscal
 * years; ten times as large or as small instead of three times.
 */
export const SIMILAR_STEPS = ['agency', 'ministry', 'all', 'years', 'sizes'] as const
export type SimilarStep = (typeof SIMILAR_STEPS)[number]

/** Discounts of `n` projects, as a share below the reference price; null of fewer than `FEWEST_PRICES`. */
const quartiles = { n: z.number(), p25: money, median: money, p75: money }

export const similarProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  decided_date: date,
  estimate_budget: z.number(),
  winner_budget: z.number(),
  /** Share below the reference price: 0.118 is 11.8 %; negative is above it. */
  discount: z.number(),
  /** Null: nobody was named, or a natural person won. */
  winner_name: z.nullable(z.string()),
  /** Prices of all who bid, the lowest first; empty where only the winner is known. */
  bids: z.array(z.number()),
  /** Why it counts as similar. */
  why: z.object({
    /** Words that both names have, as the name of the asked project spells them, what is bought first. */
    words: z.array(z.string()),
    likeness: z.number(),
    /** Who buys, compared with the asked project: the nearest that holds. */
    buyer: z.nullable(z.enum(['unit', 'agency', 'ministry'])),
    is_same_province: z.boolean(),
    is_same_method: z.boolean(),
    /** How many times as large it is; null where a size is not known. */
    times: money,
  }),
  /** Whether the caller's report holds it, and so can open it. */
  in_report: z.boolean(),
})
export type SimilarProject = z.output<typeof similarProjectSchema>

/**
 * Only decided projects with one winner and a reference price count (D20). Prices above the reference price count, as negative discounts; a consortium is
 * one winner. Those without a reference price, and those with several winners or with contracts for another sum, are counted apart. What was cancelled
 * counts nowhere.
 */
export const similarPricesSchema = z.object({
  /** In Thai, what was compared: printed beside the figures. */
  scope: z.string(),
  /** Every circle that there is around this project, the narrowest first, with its projects; `text` says what it adds. */
  steps: z.array(z.object({ step: z.enum(SIMILAR_STEPS), n: z.number(), text: z.string() })),
  /** The one that was taken: the asked one, else the narrowest with `ENOUGH_SIMILAR`, else the widest. Null: the name says nothing to compare by. */
  step: z.nullable(z.enum(SIMILAR_STEPS)),
  /** Projects of the circle; `n` of them are taken, the closest, at most `MOST_SIMILAR`. */
  found: z.number(),
  n: z.number(),
  without_reference: z.number(),
  without_clear_price: z.number(),
  /** Of the `n`, won above the reference price. */
  above_reference: z.number(),
  median: money,
  p25: money,
  p75: money,
  /** All discounts together, weighted by value. */
  weighted: money,
  /** Counts in steps of 2.5 points, `from` inclusive; the first bin is open below, the last above. */
  bins: z.array(z.object({ from: z.number(), count: z.number() })),
  /** Who won most of them, at most five companies; empty of fewer than `FEWEST_PRICES`. */
  winners: z.array(z.object({ name: z.string(), wins: z.number(), median: money })),
  /** The oldest and the newest decision. */
  from_date: date,
  to_date: date,
  /** The projects, the closest first. */
  results: z.array(similarProjectSchema),
  /** Discounts in the widest circle, whatever was taken, of `n` projects. */
  breakdown: z.object({
    n: z.number(),
    /** By the reference price, baht, `from` inclusive and `to` exclusive; null is open. */
    bands: z.array(z.object({ from: money, to: money, ...quartiles })),
    /** This project's agency first where it has any, then those with the most; at most six. */
    agencies: z.array(z.object({ name: z.string(), is_own: z.boolean(), ...quartiles })),
    /** Fiscal years, the newest first; 0: unknown. */
    years: z.array(z.object({ year: z.number(), ...quartiles })),
  }),
})
export type SimilarPrices = z.output<typeof similarPricesSchema>
