import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Upper bucket bounds of the report's response times, in ms. They include the targets (60 and 150); the last is the
 * query limit.
 */
export const REPORT_RESPONSE_TIME_BUCKETS_MS = [5, 10, 25, 60, 100, 150, 250, 500, 1_000, 2_500, 5_000, 15_000] as const

export type ServerMetricsForMinute = {
  readonly at: string
  readonly process: string
  readonly requests: number
  readonly errors: number
  readonly reportTimes: readonly number[]
  readonly loopLagMs: number
  readonly memoryMb: number
}

const RETENTION_HOURS = 48
const WRITE_TIMEOUT_MS = 2_000

/**
 * Writes finished minutes and deletes expired ones in one statement. Only the newest minute records the number of due
 * jobs: for minutes buffered during an outage it is unknown.
 */
export async function writeServerMetricsByMinute(
  db: Db,
  minutes: readonly ServerMetricsForMinute[],
  now: Date,
): Promise<void> {
  const timestamp = sql`${now.toISOString()}::timestamptz`
  await db.execute(
    sql`
    with forgotten as (
      delete from metric_minutes where at < ${timestamp} - ${RETENTION_HOURS}::int * interval '1 hour'
    ), given as (
      select * from json_to_recordset(${JSON.stringify(minutes)}::json)
        as t (at timestamptz, process text, requests int, errors int, "reportTimes" int[], "loopLagMs" real, "memoryMb" int)
    )
    insert into metric_minutes (at, process, requests, errors, report_times, loop_lag_ms, memory_mb, jobs_due)
    select at, process, requests, errors, "reportTimes", "loopLagMs", "memoryMb", case when at = max(at) over () then (
      select count(*) from jobs where state in ('waiting', 'running') and run_at <= ${timestamp}
    ) end from given
    on conflict do nothing`,
    { timeoutMs: WRITE_TIMEOUT_MS },
  )
}

export function computeQuantileMs(times: readonly number[], share: number): number | undefined {
  const total = times.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  const rank = share * total
  let countBefore = 0
  for (const [index, to] of REPORT_RESPONSE_TIME_BUCKETS_MS.entries()) {
    const count = times[index] ?? 0
    const from = REPORT_RESPONSE_TIME_BUCKETS_MS[index - 1] ?? 0
    if (count > 0 && countBefore + count >= rank) return from + ((rank - countBefore) / count) * (to - from)
    countBefore += count
  }
  return REPORT_RESPONSE_TIME_BUCKETS_MS.at(-1)
}
