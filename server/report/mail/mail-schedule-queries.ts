import sql, { empty, type Sql } from 'sql-template-tag'
import { z } from 'zod/mini'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'

/** `loads` are the loads to report in one email. The job key is the user id. */
const payload = z.object({ loads: z.array(z.number()) })
export const REPORT_MAIL_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'report_mail', payload }

/**
 * Condition for recipients of report emails: users `u` of organisations `o`. Excludes the demo (C6) and users without
 * report access.
 */
export const WANTS_REPORT_MAIL_SQL: Sql = sql`(
  u.is_send_report_email and not u.is_disabled and not u.is_demo_visitor and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE}
  and not o.is_access_budget_year_only and o.is_watchlist_completed)`

/**
 * True if another load, or part of one, was published before. The first load of a database is history, so no user is
 * notified of it.
 */
export async function hasEarlierPublishedDataLoad(tx: Db, loadId: number): Promise<boolean> {
  const rows = await tx.query(
    sql`select 1 from loads where published_at is not null and id <> ${loadId}::bigint limit 1`,
  )
  return rows.length > 0
}

export type QuietHours = {
  readonly id: number
  readonly not_allow_start_time: string
  readonly not_allow_end_time: string
}

export async function findQuietHours(tx: Db): Promise<QuietHours[]> {
  return tx.query(sql`
    select o.id, o.customer_config ->> 'not_allow_start_time' as not_allow_start_time,
      o.customer_config ->> 'not_allow_end_time' as not_allow_end_time
    from organisations o
    where o.customer_config ->> 'not_allow_start_time' <> o.customer_config ->> 'not_allow_end_time'`)
}

/**
 * Schedules emails, ordered by organisation so that lookups are shared. `delayed` lists organisations whose emails are
 * due later. Returns the number of scheduled emails.
 */
export async function insertReportMails(
  tx: Db,
  loadId: number,
  at: Date,
  {
    delayed,
    isIncrement,
  }: {
    readonly delayed: readonly { readonly organisationId: number; readonly dueAt: Date }[]
    readonly isIncrement: boolean
  },
): Promise<number> {
  const ofTouched = sql`and o.id in (
    select m.organisation_id from projects p join project_matches m on m.project_id = p.project_id where p.written_load = ${loadId}::bigint)`
  const scheduled = await tx.query<{ userId: number; organisationId: number }>(sql`
    with told as (
      insert into report_mails (user_id, load_id, organisation_id)
      select u.id, ${loadId}::bigint, o.id from users u join organisations o on o.id = u.organisation_id
      where ${WANTS_REPORT_MAIL_SQL} ${isIncrement ? ofTouched : empty}
      on conflict do nothing
      returning user_id, organisation_id)
    select user_id as "userId", organisation_id as "organisationId" from told order by organisation_id, user_id`)
  const dueAt = new Map(delayed.map((organisation) => [organisation.organisationId, organisation.dueAt]))
  await enqueueJobs(
    tx,
    REPORT_MAIL_JOB_TYPE,
    scheduled.map(({ userId, organisationId }) => {
      const runAt = dueAt.get(organisationId)
      return { key: String(userId), payload: { loads: [loadId] }, organisationId, userId, at, runAt }
    }),
  )
  return scheduled.length
}

/**
 * Returns when the combined morning email is due: the first load of a night is emailed at once, and the later ones
 * together at 08:30. Undefined if a load was not part of a night, if no email was sent that night yet, or if 08:30 has
 * passed.
 */
export async function findMorningMailTime(
  db: Db,
  userId: number,
  loadIds: readonly number[],
  now: Date,
): Promise<Date | undefined> {
  const loads = sql`${[...loadIds]}::bigint[]`
  const [row] = await db.query<{ morning: string | null }>(sql`
    select ((max(l.night) + 1)::timestamp + interval '8 hours 30 minutes') at time zone 'Asia/Bangkok' as morning
    from loads l where l.id = any (${loads})
    having count(*) = count(l.night) and exists (
      select from report_mails r join loads told on told.id = r.load_id
      where r.user_id = ${userId}::int and r.state = 'queued' and told.night = max(l.night))`)
  const morning = row?.morning ? new Date(row.morning) : undefined
  return morning && morning > now ? morning : undefined
}

export async function recordReportMailOutcome(
  tx: Db,
  userId: number,
  loadIds: readonly number[],
  state: 'queued' | 'empty' | 'unwanted' | 'failed',
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    update report_mails set state = ${state}, settled_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and load_id = any (${[...loadIds]}::bigint[])`)
}

export async function pruneReportMails(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    delete from report_mails where state <> 'waiting' and settled_at < ${at}::timestamptz - interval '90 days'`)
  await db.execute(sql`delete from used_mail_links where expires_at < ${at}::timestamptz`)
}
