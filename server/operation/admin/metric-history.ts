import sql, { type Sql } from 'sql-template-tag'
import { METRIC_PERIODS, type MetricPeriod } from '#contract/operation/metrics.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { MAIL_JOB_TYPE } from '#server/platform/route/outgoing-mail.ts'
import { computeQuantileMs } from './metric-minutes.ts'

/**
 * One step of a period. A value is null if no server was running or there was nothing to measure. Times are UTC ISO.
 */
export type ServerMetricPoint = {
  readonly at: string
  readonly requests: number | null
  readonly errors: number | null
  readonly reportPages: number | null
  readonly reportHalfMs: number | null
  readonly reportP99Ms: number | null
  readonly jobsDue: number | null
  readonly jobsDone: number
  readonly jobsDead: number
  readonly mailsSent: number
  readonly mailsFailed: number
  readonly loopLagMs: number | null
  readonly memoryMb: number | null
}

const MINUTE_MS = 60_000
const BANGKOK_OFFSET_MS = 7 * 60 * MINUTE_MS

type MetricRow = Omit<ServerMetricPoint, 'reportHalfMs' | 'reportP99Ms' | 'reportPages'> & {
  readonly times: number[] | null
}

export async function readServerMetricHistory(db: Db, period: MetricPeriod, now: Date): Promise<ServerMetricPoint[]> {
  const { minutes, step } = METRIC_PERIODS[period]
  const stepMs = step * MINUTE_MS
  const last = Math.floor((now.getTime() + BANGKOK_OFFSET_MS) / stepMs) * stepMs - BANGKOK_OFFSET_MS
  const first = sql`${new Date(last - minutes * MINUTE_MS + stepMs).toISOString()}::timestamptz`
  const width = sql`${step}::int * interval '1 minute'`
  const stepOf = (at: Sql) => sql`date_bin(${width}, ${at}, ${first})`
  const rows = await db.query<MetricRow>(sql`
    with minutes as (
      select ${stepOf(sql`at`)} as step, sum(requests)::int as requests, sum(errors)::int as errors, max(jobs_due) as jobs_due,
        max(loop_lag_ms)::float8 as loop_lag_ms, max(memory_mb) as memory_mb
      from metric_minutes where at >= ${first} group by 1
    ), times as (
      select step, array_agg(n order by place) as times from (
        select ${stepOf(sql`at`)} as step, place, sum(n)::int as n
        from metric_minutes cross join unnest(report_times) with ordinality t (n, place) where at >= ${first} group by 1, 2
      ) t group by 1
    ), done as (
      select ${stepOf(sql`finished_at`)} as step, count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'dead')::int as dead
      from jobs where finished_at >= ${first} and kind <> ${MAIL_JOB_TYPE.kind} group by 1
    ), sent as (
      select ${stepOf(sql`settled_at`)} as step, count(*) filter (where state in ('sent', 'kept'))::int as sent, count(*) filter (where state = 'failed')::int as failed
      from mails where settled_at >= ${first} group by 1
    )
    select s.at, m.requests, m.errors, t.times, m.jobs_due as "jobsDue", coalesce(d.done, 0) as "jobsDone", coalesce(d.dead, 0) as "jobsDead",
      coalesce(e.sent, 0) as "mailsSent", coalesce(e.failed, 0) as "mailsFailed", m.loop_lag_ms as "loopLagMs", m.memory_mb as "memoryMb"
    from generate_series(${first}, ${new Date(last).toISOString()}::timestamptz, ${width}) s (at)
    left join minutes m on m.step = s.at left join times t on t.step = s.at left join done d on d.step = s.at left join sent e on e.step = s.at
    order by s.at`)
  return rows.map(({ times, ...row }) => ({
    ...row,
    reportPages: times === null ? null : times.reduce((sum, count) => sum + count, 0),
    reportHalfMs: computeQuantileMs(times ?? [], 0.5) ?? null,
    reportP99Ms: computeQuantileMs(times ?? [], 0.99) ?? null,
  }))
}
