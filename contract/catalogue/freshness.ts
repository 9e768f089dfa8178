import { z } from 'zod/mini'

/**
 * How far what is shown can be trusted to be all there is: only where real sources are asked. Of the report over all of them, of a project about its
 * agency.
 */
export const freshnessSchema = z.object({
  /** When a source last answered, UTC ISO; null: not yet. */
  checked_at: z.nullable(z.string()),
  /** Announcements that are known to exist and could not be had. */
  missing: z.number(),
  /** Whether the last round in which everything was asked is older than `LATE_HOURS`. */
  is_late: z.boolean(),
  /** When that round ended, UTC ISO; null: none has. */
  full_at: z.nullable(z.string()),
})
export type Freshness = z.output<typeof freshnessSchema>

/** A night and half a day: one night that failed is told the next morning. */
export const LATE_HOURS = 36
