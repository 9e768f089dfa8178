import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type JobFigures = {
  readonly job: string
  /** Due or at work, and of these at work. */
  readonly waiting: number
  readonly running: number
  /** Seconds that the oldest has been due; 0 when none waits. */
  readonly oldestSeconds: number
  /** Open ones that failed at least once. */
  readonly retried: number
  /** Given up within the last day. */
  readonly dead: number
  /** Ended well within the last hour, and how long the runs took on average. */
  readonly doneLastHour: number
  readonly meanSeconds: number
}

/** A scrape must not wait longer, and must not keep a busy database. */
const TIMEOUT_MS = 1_000

/**
 * What an operator watches, a row for each of these kinds, over all organisations: numbers only. Reads what has not ended and what ended lately, so that
 * it costs the same after years.
 */
export async function readJobFigures(db: Db, kinds: readonly string[]): Promise<JobFigures[]> {
  return await db.query<JobFigures>(
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
