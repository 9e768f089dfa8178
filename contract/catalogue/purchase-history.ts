import { z } from 'zod/mini'

/**
 * Earlier purchases of similar work by the same unit: the usual months of announcement (N9), and the contractors. Dates
 * ISO, money baht.
 */

/** Minimum number of announcements for a usual time. */
export const FEWEST_PURCHASES = 5
/** Length of the usual time in months. */
export const WINDOW_MONTHS = 3
/** Limit of the list; figures cover all purchases. */
export const MOST_LISTED = 12

/**
 * Certainty of a usual time. `high`: chance below one in a hundred, over at least three fiscal years; `medium`: below
 * one in twenty, over two; `one_year`: equally unlikely, but all in one fiscal year, so not yet an annual pattern.
 */
export const CERTAINTIES = ['high', 'medium', 'one_year'] as const

export const rhythmSchema = z.object({
  /** Purchases with a first date, including this one, and the fiscal years of those dates. */
  n: z.number(),
  years: z.number(),
  /** Null: too few purchases, or no concentration in the year. */
  usual: z.nullable(
    z.object({
      /** First of `WINDOW_MONTHS` months, 1 to 12. */
      month: z.number(),
      hits: z.number(),
      certainty: z.enum(CERTAINTIES),
      /** First and last day of the current or next occurrence. */
      next_from: z.string(),
      next_to: z.string(),
    }),
  ),
})
export type Rhythm = z.output<typeof rhythmSchema>

export const purchaseHistorySchema = z.object({
  rhythm: rhythmSchema,
  /** Earlier purchases with a winner, and how many of them went to this project's winner; null when it has none. */
  decided: z.number(),
  same_winner: z.nullable(z.number()),
  /** Earlier purchases, newest first, at most `MOST_LISTED`. */
  earlier: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
      /** Date of the first announcement, else of the contract. */
      first_date: z.nullable(z.string()),
      fiscal_year: z.nullable(z.number()),
      /** For natural persons only the type of person. */
      winner_name: z.nullable(z.string()),
      winner_budget: z.nullable(z.number()),
      is_same_winner: z.boolean(),
      in_report: z.boolean(),
    }),
  ),
})
export type PurchaseHistory = z.output<typeof purchaseHistorySchema>
