import { z } from 'zod/mini'

/**
 * How complete and current the data is, only when real sources are polled. For the report it covers all sources, for a
 * project its agency.
 */
export const freshnessSchema = z.object({
  checked_at: z.nullable(z.string()),
  missing: z.number(),
  is_late: z.boolean(),
  full_at: z.nullable(z.string()),
})
export type Freshness = z.output<typeof freshnessSchema>

/** A night plus half a day, so that one failed night is reported the next morning. */
export const LATE_HOURS = 36
