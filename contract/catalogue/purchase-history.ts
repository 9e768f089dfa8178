import { z } from 'zod/mini'

/**
 * Earlier purchases of similar work by the same unit: the usual months of announcement (N9), and the contractors. Dates
 * ISO, money baht.
 */

export const MIN_PURCHASES = 5
/** Length of the usual purchasing season in months. */
export const WINDOW_MONTHS = 3
export const MAX_LISTED_PURCHASES = 12

/**
 * Certainty of a usual time. `high`: chance below one in a hundred, over at least three fiscal years; `medium`: below
 * one in twenty, over two; `one_year`: equally unlikely, but all in one fiscal year, so not yet an annual pattern.
 */
export const CERTAINTIES = ['high', 'medium', 'one_year'] as const

export const rhythmSchema = z.object({
  n: z.number(),
  years: z.number(),
  usual: z.nullable(
    z.object({
      /** First of `WINDOW_MONTHS` months, 1 to 12. */
      month: z.number(),
      hits: z.number(),
      certainty: z.enum(CERTAINTIES),
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
  earlier: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
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
