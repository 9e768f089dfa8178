import { z } from 'zod/mini'

/**
 * Periods of the operator charts in minutes: total length and width of a column. Per-minute values are stored for 48
 * hours.
 */
export const METRIC_PERIODS = {
  hour: { minutes: 60, step: 5 },
  day: { minutes: 24 * 60, step: 60 },
  'two-days': { minutes: 48 * 60, step: 120 },
} as const
export type MetricPeriod = keyof typeof METRIC_PERIODS

const count = z.nullable(z.number())

/**
 * `GET /operation/metrics?period=`: oldest first; the last point is incomplete. Null means that no server was running
 * or nothing was measured.
 */
export const operationMetricsSchema = z.object({
  points: z.array(
    z.object({
      at: z.string(),
      requests: count,
      errors: count,
      /** Report pages, with the median and 99th percentile of the response time in ms. */
      report_pages: count,
      report_half_ms: count,
      report_p99_ms: count,
      jobs_due: count,
      jobs_done: z.number(),
      jobs_dead: z.number(),
      mails_sent: z.number(),
      mails_failed: z.number(),
      loop_lag_ms: count,
      memory_mb: count,
    }),
  ),
})
export type OperationMetrics = z.output<typeof operationMetricsSchema>
