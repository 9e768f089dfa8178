import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { MAIL_JOB_TYPE } from '#server/platform/route/outgoing-mail.ts'

export type AdminMailRow = {
  id: number
  kind: string
  organisation: string | null
  state: string
  attempts: number
  failure: string | null
  createdAt: string
  canResend: boolean
}

const MAX_LISTED = 50
const toTimestamp = (at: Date): Sql => sql`${at.toISOString()}::timestamptz`

/**
 * SQL condition: the email can be sent again. Its text is deleted after a while, and is useless once its code or link
 * has expired.
 */
export const mailIsResendableSql = (now: Date): Sql =>
  sql`m.state = 'failed' and m.sealed is not null and (m.not_after is null or m.not_after > ${toTimestamp(now)})`

/**
 * Returns failed, expired and queued emails, newest first, so that an operator sees undelivered emails (R52). Omits
 * addresses and text.
 */
export async function listUnsentMails(db: Db, now: Date): Promise<AdminMailRow[]> {
  return await db.query<AdminMailRow>(sql`
    select m.id::int, m.kind, o.code as organisation, m.state, coalesce(j.attempts, 0) as attempts, j.last_error as failure, m.created_at as "createdAt",
      ${mailIsResendableSql(now)} as "canResend"
    from mails m left join jobs j on j.kind = ${MAIL_JOB_TYPE.kind} and j.key = m.id::text left join organisations o on o.id = m.organisation_id
    where m.state not in ('sent', 'kept') order by m.id desc limit ${MAX_LISTED}::int`)
}

type ResentMail = { kind: string; organisationId: number | null; userId: number | null }

export async function requeueMail(tx: Db, id: number, now: Date): Promise<ResentMail | undefined> {
  const [mail] = await tx.query<ResentMail>(sql`
    update mails m set state = 'queued', settled_at = null where m.id = ${id}::bigint and ${mailIsResendableSql(now)}
    returning m.kind, m.organisation_id as "organisationId", m.user_id as "userId"`)
  return mail
}

export type AdminJobRow = {
  id: number
  kind: string
  organisation: string | null
  state: 'waiting' | 'running' | 'dead'
  attempts: number
  failure: string | null
  requestedAt: string
  at: string
}

/**
 * Returns dead jobs, newest first, then queued and running ones, most overdue first; at most 50 of each. Omits the
 * payload, which may name a project.
 */
export async function listUnfinishedJobs(db: Db): Promise<AdminJobRow[]> {
  const selectJobs = sql`
    select j.id::int, j.kind, o.code as organisation, j.state, j.attempts, j.last_error as failure, j.requested_at as "requestedAt",
      coalesce(j.finished_at, j.run_at) as at
    from jobs j left join organisations o on o.id = j.organisation_id`
  const dead = await db.query<AdminJobRow>(sql`
    ${selectJobs} where j.state = 'dead' and j.kind <> ${MAIL_JOB_TYPE.kind} and j.finished_at is not null order by j.finished_at desc limit ${MAX_LISTED}::int`)
  const openJobs = await db.query<AdminJobRow>(sql`
    ${selectJobs} where j.state in ('waiting', 'running') order by j.run_at, j.id limit ${MAX_LISTED}::int`)
  return [...dead, ...openJobs]
}
