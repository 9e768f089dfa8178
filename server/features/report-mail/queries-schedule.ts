import sql, { type Sql } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/account/organisation.ts'
import type { Db } from '#server/engine/db.ts'

/** Who gets report mails: users `u` of organisations `o`. The demo gets none (C6), nor who may not open the report. */
export const WANTS_MAIL: Sql = sql`(
  u.is_send_report_email and not u.is_disabled and not u.is_demo_visitor and not o.is_disabled and o.code <> ${DEMO_ORGANISATION_CODE}
  and not o.is_access_budget_year_only and o.is_watchlist_completed)`

/** Whether any load was published before this one: the first of a database is its history, which is news to nobody. */
export async function hasEarlierLoad(tx: Db, loadId: number): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from loads where state = 'published' and id <> ${loadId}::bigint limit 1`)
  return rows.length > 0
}

export type ClosedHours = {
  readonly id: number
  readonly not_allow_start_time: string
  readonly not_allow_end_time: string
}

/** Organisations with the hours in which nothing is pushed to them; those without such hours are left out. */
export async function findClosedHours(tx: Db): Promise<ClosedHours[]> {
  return tx.query(sql`
    select o.id, o.customer_config ->> 'not_allow_start_time' as not_allow_start_time,
      o.customer_config ->> 'not_allow_end_time' as not_allow_end_time
    from organisations o
    where o.customer_config ->> 'not_allow_start_time' <> o.customer_config ->> 'not_allow_end_time'`)
}

/** One row for each user who wants mails, due at `at`, or later where `later` says so for their organisation; answers how many. */
export async function insertReportMails(
  tx: Db,
  loadId: number,
  at: Date,
  later: readonly { readonly organisationId: number; readonly dueAt: Date }[],
): Promise<number> {
  return tx.execute(sql`
    insert into report_mails (user_id, load_id, organisation_id, due_at)
    select u.id, ${loadId}::bigint, o.id, coalesce(w.due_at, ${at.toISOString()}::timestamptz)
    from users u join organisations o on o.id = u.organisation_id
    left join unnest(${later.map(({ organisationId }) => organisationId)}::int[], ${later.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[])
      w (organisation_id, due_at) on w.organisation_id = o.id
    where ${WANTS_MAIL}
    on conflict do nothing`)
}

/** A worker that dies leaves its mail to the others after this long (R52). */
const LEASE = '60 seconds'
/** Any number, the same in every process: claims are made one after the other, so that no user goes to two workers. */
const CLAIM_LOCK = 8_246_913_372

/** Loads that one user is to be told of in one mail. */
export type ClaimedReportMail = {
  readonly userId: number
  readonly organisationId: number
  readonly loadIds: readonly number[]
  readonly holder: string
  /** How often the most tried of them was begun, this time included. */
  readonly attempts: number
}

const dueAt = (row: Sql, at: Date) => sql`
  ((${row}.state = 'waiting' and ${row}.due_at <= ${at.toISOString()}::timestamptz)
    or (${row}.state = 'composing' and ${row}.lease_until <= ${at.toISOString()}::timestamptz))`

/** Whether anybody waits for a mail: one look into an index that holds only what is not done yet. */
export async function isReportMailDue(db: Db, now: Date): Promise<boolean> {
  return (await db.query(sql`select 1 from report_mails r where ${dueAt(sql`r`, now)} limit 1`)).length > 0
}

/** All loads that the user who has waited longest is to be told of, for this worker alone until its lease ends; undefined when nobody waits. */
export async function claimReportMail(db: Db, holder: string, now: Date): Promise<ClaimedReportMail | undefined> {
  const rows = await db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${CLAIM_LOCK}::bigint)`)
    return await tx.query<{ userId: number; organisationId: number; loadId: number; attempts: number }>(sql`
      update report_mails m set state = 'composing', attempts = m.attempts + 1, holder = ${holder},
        lease_until = ${now.toISOString()}::timestamptz + ${LEASE}::interval
      where ${dueAt(sql`m`, now)} and m.user_id = (
        select r.user_id from report_mails r
        where ${dueAt(sql`r`, now)} and not exists (
          select from report_mails busy
          where busy.user_id = r.user_id and busy.state = 'composing' and busy.lease_until > ${now.toISOString()}::timestamptz
        )
        order by r.due_at, r.organisation_id, r.user_id limit 1
      )
      returning m.user_id as "userId", m.organisation_id as "organisationId", m.load_id as "loadId", m.attempts`)
  })
  const [first] = rows
  if (!first) return undefined
  return {
    userId: first.userId,
    organisationId: first.organisationId,
    loadIds: rows.map(({ loadId }) => loadId).sort((a, b) => a - b),
    holder,
    attempts: Math.max(...rows.map(({ attempts }) => attempts)),
  }
}

/** The rows of a claim, as long as they are its own. */
const ownRows = ({ userId, loadIds, holder }: ClaimedReportMail) =>
  sql`user_id = ${userId}::int and load_id = any (${[...loadIds]}::bigint[]) and holder = ${holder} and state = 'composing'`

export type ReportMailOutcome =
  | { readonly state: 'queued' | 'empty' | 'unwanted' }
  | { readonly state: 'failed'; readonly failure: string }
  /** `failure` undefined: nothing went wrong, the worker stops. */
  | { readonly state: 'waiting'; readonly nextAt: Date; readonly failure: string | undefined }

/** Writes down what became of a claim, in the transaction that queues its mail; false when it went to another worker meanwhile. */
export async function settleReportMail(
  tx: Db,
  claim: ClaimedReportMail,
  outcome: ReportMailOutcome,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString()
  const failure = 'failure' in outcome ? (outcome.failure ?? null) : null
  const isWaiting = outcome.state === 'waiting'
  const nextAt = isWaiting ? outcome.nextAt.toISOString() : null
  const settled = await tx.execute(sql`
    update report_mails set state = ${outcome.state}, holder = null, lease_until = null, failure = ${failure},
      attempts = attempts - case when ${isWaiting && failure === null}::boolean then 1 else 0 end,
      due_at = coalesce(${nextAt}::timestamptz, due_at),
      settled_at = case when ${!isWaiting}::boolean then ${at}::timestamptz end
    where ${ownRows(claim)}`)
  return settled === claim.loadIds.length
}

/** Keeps a claim for another while; false when it went to another worker. */
export async function renewReportMail(db: Db, claim: ClaimedReportMail, now: Date): Promise<boolean> {
  const renewed = await db.execute(sql`
    update report_mails set lease_until = ${now.toISOString()}::timestamptz + ${LEASE}::interval where ${ownRows(claim)}`)
  return renewed === claim.loadIds.length
}

/** Forgets what was settled long ago, and links that would no longer work anyway. */
export async function pruneReportMails(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    delete from report_mails where state not in ('waiting', 'composing') and settled_at < ${at}::timestamptz - interval '90 days'`)
  await db.execute(sql`delete from used_mail_links where expires_at < ${at}::timestamptz`)
}
