import sql from 'sql-template-tag'
import type { Db } from './db.ts'

const JOBS = ['match', 'export', 'mail', 'report_mail'] as const
export type JobName = (typeof JOBS)[number]

export type JobFigures = {
  readonly job: JobName
  readonly waiting: number
  /** Seconds that the oldest has been due; 0 when none waits. */
  readonly oldestSeconds: number
  /** Given up among the newest thousand. */
  readonly dead: number
}

export type OperationFigures = {
  readonly jobs: readonly JobFigures[]
  /** Undefined while nothing was ever published. */
  readonly lastLoad: { readonly publishedAt: string; readonly seconds: number } | undefined
}

/** A scrape must not wait longer, and must not keep a busy database. */
const TIMEOUT_MS = 1_000
const NEWEST = 1_000

/** What an operator watches, over all organisations: numbers only. Reads the indexes of what is due and the newest rows, so that it costs the same after years. */
export async function readOperationFigures(db: Db): Promise<OperationFigures> {
  const oldest = (column: ReturnType<typeof sql>) =>
    sql`count(*) as waiting, coalesce(greatest(0, extract(epoch from now() - min(${column}))), 0)::float8 as "oldestSeconds"`
  const jobs = await db.query<JobFigures>(
    sql`
      select 'match' as job, d.*, (
          select count(*) from (select state from match_requests order by id desc limit ${NEWEST}::int) r where r.state = 'failed'
        ) as dead
      from (select ${oldest(sql`requested_at`)} from match_requests where state in ('waiting', 'running')) d
      union all
      select 'export', d.*, (select count(*) from report_exports where state = 'failed' and requested_at > now() - interval '1 day')
      from (select ${oldest(sql`requested_at`)} from report_exports where state in ('waiting', 'running')) d
      union all
      select 'mail', d.*, (
          select count(*) from (select state from mails order by id desc limit ${NEWEST}::int) r where r.state = 'failed'
        )
      from (select ${oldest(sql`created_at`)} from mails where state in ('queued', 'sending')) d
      union all
      select 'report_mail', d.*, (
          select count(*) from (
            select state from report_mails where state not in ('waiting', 'composing') order by settled_at desc limit ${NEWEST}::int
          ) r where r.state = 'failed'
        )
      from (select ${oldest(sql`due_at`)} from report_mails where state in ('waiting', 'composing') and due_at <= now()) d`,
    { timeoutMs: TIMEOUT_MS },
  )
  const [lastLoad] = await db.query<{ publishedAt: string; seconds: number }>(
    sql`
      select published_at as "publishedAt", extract(epoch from published_at - started_at)::float8 as seconds
      from loads where state = 'published' order by published_at desc nulls last, id desc limit 1`,
    { timeoutMs: TIMEOUT_MS },
  )
  return { jobs, lastLoad }
}
