import { z } from 'zod/mini'

/** What the charts of an operator can show, in minutes: how much at once, and of what one column is made. Minutes are kept for 48 hours. */
export const METRIC_PERIODS = {
  hour: { minutes: 60, step: 5 },
  day: { minutes: 24 * 60, step: 60 },
  'two-days': { minutes: 48 * 60, step: 120 },
} as const
export type MetricPeriod = keyof typeof METRIC_PERIODS

const count = z.nullable(z.number())

/** `GET /operation/metrics?period=`: the oldest first, the last one not over yet. Null: no server ran, or there was nothing to measure. */
export const operationMetricsSchema = z.object({
  points: z.array(
    z.object({
      /** UTC ISO; begins a step of the period. */
      at: z.string(),
      requests: count,
      /** Of these, answered with 5xx. */
      errors: count,
      /** Pages of the report, and in how many milliseconds half and 99 % of them were answered. */
      report_pages: count,
      report_half_ms: count,
      report_p99_ms: count,
      /** Due or at work, the most at a time. */
      jobs_due: count,
      jobs_done: z.number(),
      jobs_dead: z.number(),
      mails_sent: z.number(),
      mails_failed: z.number(),
      /** Of the slowest server. */
      loop_lag_ms: count,
      memory_mb: count,
    }),
  ),
})
export type OperationMetrics = z.output<typeof operationMetricsSchema>
