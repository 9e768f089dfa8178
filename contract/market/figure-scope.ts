import { z } from 'zod/mini'

/** What every aggregate carries (product 7): of which projects it is made, of how many, how much is known of them, and since when it holds. */
export const figureScopeSchema = z.object({
  /** Every project that was loaded, or those of the organisation's report. */
  universe: z.enum(['all', 'watch']),
  /** Buddhist fiscal years that the figures span; null where nothing was found. */
  year_from: z.nullable(z.number()),
  year_to: z.nullable(z.number()),
  /** Projects that the figures are made of. */
  n: z.number(),
  /** Of these: all bidders known with prices, bidders without (all) prices, the winner alone. They add up to `n`. */
  coverage: z.object({ full: z.number(), names: z.number(), winner: z.number() }),
  /** When the newest load was counted in, UTC ISO; null before the first. */
  computed_at: z.nullable(z.string()),
})
export type FigureScope = z.output<typeof figureScopeSchema>
export type FigureCoverage = FigureScope['coverage']
