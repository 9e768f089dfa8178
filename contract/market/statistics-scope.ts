import { z } from 'zod/mini'

/**
 * Included in every aggregate (product 7): which projects it covers, how many, how complete the data is, and its age.
 * Years are Buddhist fiscal years, null for an empty result.
 */
export const statisticsScopeSchema = z.object({
  universe: z.enum(['all', 'watch']),
  year_from: z.nullable(z.number()),
  year_to: z.nullable(z.number()),
  n: z.number(),
  /**
   * Number of projects where all bidders and prices are known, where bidders are known but not all prices, and where
   * only the winner is known. They add up to `n`.
   */
  coverage: z.object({ full: z.number(), names: z.number(), winner: z.number() }),
  computed_at: z.nullable(z.string()),
  /** Number of projects whose price every total, median and discount leaves out as doubtful; absent if none. */
  amounts_in_doubt: z.optional(z.number()),
})
export type StatisticsScope = z.output<typeof statisticsScopeSchema>
export type BidderDataCoverageCounts = StatisticsScope['coverage']
