import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type JobMetrics = {
  readonly job: string
  /** Jobs that are due or running; `running` is a subset. */
  readonly waiting: number
  readonly running: number
  readonly oldestSeconds: number
  readonly retried: number
  readonly dead: number
  readonly doneLastHour: number
  readonly meanSeconds: number
}

const TIMEOUT_MS = 1_000

/**
 * Returns one row of queue metrics per kind over all organisations, numbers only. Reads only open and recent jobs, so
 * the cost does not grow over the years.
 */
export async function readJobMetrics(db: Db, kinds: readonly string[]): Promise<JobMetrics[]> {
  return await db.query<JobMetrics>(
    sql`
      select k.kind as job, open.*, ended.*
      from unnest(${[...kinds]}::text[]) k (kind)
      cross join lateral (
        select count(*) as waiting, count(*) filter (where j.state = 'running') as running,
          coalesce(greatest(0, extract(epoch from now() - min(j.run_at))), 0)::float8 as "oldestSeconds",
          count(*) filter (where j.last_error is not null) as retried
        from jobs j where j.kind = k.kind and j.state in ('waiting', 'running') and j.run_at <= now()
      ) open
      cross join lateral (
        select count(*) filter (where j.state = 'dead') as dead,
          count(*) filter (where j.state = 'done' and j.finished_at > now() - interval '1 hour') as "doneLastHour",
          coalesce(avg(extract(epoch from j.finished_at - j.started_at))
            filter (where j.state = 'done' and j.finished_at > now() - interval '1 hour'), 0)::float8 as "meanSeconds"
        from jobs j where j.kind = k.kind and j.finished_at > now() - interval '1 day'
      ) ended`,
    { timeoutMs: TIMEOUT_MS },
  )
}
