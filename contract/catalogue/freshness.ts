import { z } from 'zod/mini'

/**
 * How complete and current the data is, only when real sources are polled. For the report it covers all sources, for a
 * project its agency.
 */
export const freshnessSchema = z.object({
  /** When a source last responded, UTC ISO; null: not yet. */
  checked_at: z.nullable(z.string()),
  /** Announcements that exist but could not be downloaded. */
  missing: z.number(),
  /** True when the last complete polling round is older than `LATE_HOURS`. */
  is_late: z.boolean(),
  /** End of the last complete round, UTC ISO; null: none yet. */
  full_at: z.nullable(z.string()),
})
export type Freshness = z.output<typeof freshnessSchema>

/** A night plus half a day, so that one failed night is reported the next morning. */
export const LATE_HOURS = 36
