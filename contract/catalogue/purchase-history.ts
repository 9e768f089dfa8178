import { z } from 'zod/mini'

/**
 * Response about earlier purchases of similar work by the same unit: the usual months of announcement (N9), and the
 * contractors. Dates ISO, money baht.
 */

export const MIN_PURCHASES_FOR_SEASON = 5
export const PURCHASE_SEASON_MONTHS = 3
export const MAX_LISTED_PURCHASES = 12

/**
 * Certainty of the usual purchasing season. `high`: the chance that it is random is below one in a hundred, over at
 * least three fiscal years; `medium`: below one in twenty, over two; `one_year`: equally unlikely, but all in one
 * fiscal year, so not yet an annual pattern.
 */
const PURCHASE_SEASON_CERTAINTIES = ['high', 'medium', 'one_year'] as const

const purchaseSeasonSchema = z.object({
  n: z.number(),
  years: z.number(),
  usual: z.nullable(
    z.object({
      /** First month of the season of `PURCHASE_SEASON_MONTHS` months, 1 to 12. */
      month: z.number(),
      hits: z.number(),
      certainty: z.enum(PURCHASE_SEASON_CERTAINTIES),
      next_from: z.string(),
      next_to: z.string(),
    }),
  ),
})
export type PurchaseSeason = z.output<typeof purchaseSeasonSchema>

export const purchaseHistorySchema = z.object({
  rhythm: purchaseSeasonSchema,
  /**
   * Earlier purchases with a winner. `same_winner` counts those won by this project's winner; null when this project
   * has none.
   */
  decided: z.number(),
  same_winner: z.nullable(z.number()),
  earlier: z.array(
    z.object({
      project_id: z.string(),
      name: z.string(),
      first_date: z.nullable(z.string()),
      fiscal_year: z.nullable(z.number()),
      /** Name of the winner; for a natural person only the type of person. */
      winner_name: z.nullable(z.string()),
      winner_budget: z.nullable(z.number()),
      is_same_winner: z.boolean(),
      in_report: z.boolean(),
    }),
  ),
})
export type PurchaseHistory = z.output<typeof purchaseHistorySchema>
