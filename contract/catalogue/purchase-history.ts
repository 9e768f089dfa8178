import { z } from 'zod/mini'

/** What a unit bought before of the same kind of work: in which months it announces it (N9), and who had the contract. Dates ISO, money baht. */

/** Fewest announcements of which a usual time is said. */
export const FEWEST_PURCHASES = 5
/** Months of the window that is said as usual. */
export const WINDOW_MONTHS = 3
/** Most earlier purchases that are listed; figures are of all. */
export const MOST_LISTED = 12

/**
 * How sure a usual time is. `high`: chance alone would give it less than once in a hundred, over three fiscal years or more; `medium`: once in twenty, over two;
 * `one_year`: as rare, but all in one fiscal year, which is no yearly habit yet.
 */
export const CERTAINTIES = ['high', 'medium', 'one_year'] as const

export const rhythmSchema = z.object({
  /** Purchases with a known first day, this one among them, and the fiscal years of those days. */
  n: z.number(),
  years: z.number(),
  /** Null: too few, or spread over the year. */
  usual: z.nullable(
    z.object({
      /** The first of `WINDOW_MONTHS` months, 1 to 12. */
      month: z.number(),
      /** Purchases of these months. */
      hits: z.number(),
      certainty: z.enum(CERTAINTIES),
      /** When these months come next, or are now: first and last day. */
      next_from: z.string(),
      next_to: z.string(),
    }),
  ),
})
export type Rhythm = z.output<typeof rhythmSchema>

export const purchaseHistorySchema = z.object({
  rhythm: rhythmSchema,
  /** Earlier purchases whose winner is known: how many, and how many of them the winner of this one won; null where this one has none. */
  decided: z.number(),
  same_winner: z.nullable(z.number()),
  /** Earlier purchases, the newest first, at most `MOST_LISTED`. */
  earlier: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
      /** The first day on which anything of it was announced, else signed. */
      first_date: z.nullable(z.string()),
      fiscal_year: z.nullable(z.number()),
      /** For natural persons the kind alone. */
      winner_name: z.nullable(z.string()),
      winner_budget: z.nullable(z.number()),
      is_same_winner: z.boolean(),
      /** Whether the caller's report holds it, and so can open it. */
      in_report: z.boolean(),
    }),
  ),
})
export type PurchaseHistory = z.output<typeof purchaseHistorySchema>
