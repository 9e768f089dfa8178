import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Upper bucket bounds of the report's response times, in ms. They include the targets (60 and 150); the last is the
 * query limit.
 */
export const REPORT_TIMES_MS = [5, 10, 25, 60, 100, 150, 250, 500, 1_000, 2_500, 5_000, 15_000] as const

export type MetricMinute = {
  /** UTC ISO. */
  readonly at: string
  readonly process: string
  readonly requests: number
  readonly errors: number
  /** One count per bucket, plus one for slower responses. */
  readonly reportTimes: readonly number[]
  readonly loopLagMs: number
  readonly memoryMb: number
}

const KEPT_HOURS = 48
/** Bounds what this write costs a busy database. */
const TIMEOUT_MS = 2_000

/**
 * Writes finished minutes and deletes expired ones in one statement. Only the newest minute records the number of due
 * jobs: for minutes buffered during an outage it is unknown.
 */
export async function writeMinutes(db: Db, minutes: readonly MetricMinute[], now: Date): Promise<void> {
  const moment = sql`${now.toISOString()}::timestamptz`
  await db.execute(
    sql`
    with forgotten as (
      delete from metric_minutes where at < ${moment} - ${KEPT_HOURS}::int * interval '1 hour'
    ), given as (
      select * from json_to_recordset(${JSON.stringify(minutes)}::json)
        as t (at timestamptz, process text, requests int, errors int, "reportTimes" int[], "loopLagMs" real, "memoryMb" int)
    )
    insert into metric_minutes (at, process, requests, errors, report_times, loop_lag_ms, memory_mb, jobs_due)
    select at, process, requests, errors, "reportTimes", "loopLagMs", "memoryMb", case when at = max(at) over () then (
      select count(*) from jobs where state in ('waiting', 'running') and run_at <= ${moment}
    ) end from given
    on conflict do nothing`,
    { timeoutMs: TIMEOUT_MS },
  )
}

/**
 * Returns the response time at a quantile in ms, interpolated linearly within its bucket; undefined without responses.
 */
export function quantileMs(times: readonly number[], share: number): number | undefined {
  const all = times.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  const wanted = share * all
  let before = 0
  for (const [place, to] of REPORT_TIMES_MS.entries()) {
    const count = times[place] ?? 0
    const from = REPORT_TIMES_MS[place - 1] ?? 0
    if (count > 0 && before + count >= wanted) return from + ((wanted - before) / count) * (to - from)
    before += count
  }
  return REPORT_TIMES_MS.at(-1)
}
