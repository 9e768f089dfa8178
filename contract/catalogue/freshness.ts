import { z } from 'zod/mini'

/**
 * How complete and current the data is; absent unless real sources are polled. For the report it covers all sources,
 * for a project only its agency.
 */
export const dataFreshnessSchema = z.object({
  checked_at: z.nullable(z.string()),
  missing: z.number(),
  is_late: z.boolean(),
  full_at: z.nullable(z.string()),
})
export type DataFreshness = z.output<typeof dataFreshnessSchema>

/**
 * Data older than this counts as late. One night plus half a day, so that a failed nightly run is reported the next
 * morning.
 */
export const LATE_DATA_THRESHOLD_HOURS = 36
