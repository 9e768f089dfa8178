import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'

/**
 * Lifetime of a link, long enough for a long weekend. A longer lifetime would let someone with access to old emails
 * revoke access added long ago.
 */
const LINK_HOURS = 72
const HOUR_MS = 3_600_000

export type AccountOwnerNotice = {
  readonly kind:
    | 'password_changed'
    | 'email_changed'
    | 'second_factor_changed'
    | 'api_key_made'
    | 'webhook_made'
    | 'webhook_moved'
    | 'webhook_secret'
    | 'role_changed'
    | 'new_device'
    | 'organisation_login_bound'
    | 'second_step_failing'
    | 'calendar_feed_made'
    | 'line_code_made'
    | 'line_connected'
    | 'line_group_code_made'
    | 'line_group_connected'
    | 'super_user_change'
    | 'access_ended'
  readonly userId: number
  readonly organisationId: number
  readonly to: string
  readonly at: Date
  readonly dedupeKey?: string | undefined
  /** The acting session. The link "this was not me" also revokes access added since that session began. */
  readonly sessionId?: string | undefined
  content(notMeUrl: string): MailContent
}

/**
 * Emails a user about a change to the account, with a "this was not me" link; the only way to send such emails. Call as
 * table owner, in the transaction of the change.
 */
export async function notifyAccountOwner(tx: Db, mails: OutgoingMailQueue, notice: AccountOwnerNotice): Promise<void> {
  const { kind, userId, organisationId, to, at, dedupeKey, sessionId, content } = notice
  const token = generateSecretToken()
  const now = at.toISOString()
  const expiresAt = new Date(at.getTime() + LINK_HOURS * HOUR_MS)
  await tx.execute(sql`delete from not_me_links where user_id = ${userId}::int and expires_at <= ${now}::timestamptz`)
  await tx.execute(sql`
    insert into not_me_links (token_hash, user_id, kind, since, created_at, expires_at)
    values (${hashSecret(token)}, ${userId}::int, ${kind},
      coalesce((select least(s.created_at, ${now}::timestamptz) from sessions s where s.id = ${sessionId ?? null}::text and s.user_id = ${userId}::int), ${now}::timestamptz),
      ${now}::timestamptz, ${expiresAt.toISOString()}::timestamptz)`)
  await mails.queue(
    tx,
    { kind, to, content: content(mails.link(`/not-me/${token}`)), dedupeKey, userId, organisationId },
    at,
  )
}

export type IntrusionReportLink = {
  readonly userId: number
  readonly organisationId: number
  readonly email: string
  readonly since: string
  readonly isUsed: boolean
  readonly isOver: boolean
}

/**
 * Returns the link even if it was used or has expired. Read-only, because mail scanners open links before people do
 * (R21).
 */
export async function findIntrusionReportLink(
  db: Db,
  token: string,
  now: Date,
): Promise<IntrusionReportLink | undefined> {
  const rows = await db.query<IntrusionReportLink>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.email, n.since, n.used_at is not null as "isUsed",
      n.expires_at <= ${now.toISOString()}::timestamptz as "isOver"
    from not_me_links n join users u on u.id = n.user_id join organisations o on o.id = u.organisation_id
    where n.token_hash = ${hashSecret(token)} and not u.is_disabled and not o.is_disabled`)
  return rows[0]
}

export async function consumeIntrusionReportLink(tx: Db, token: string, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const updatedCount = await tx.execute(sql`
    update not_me_links set used_at = ${at}::timestamptz
    where token_hash = ${hashSecret(token)} and used_at is null and expires_at > ${at}::timestamptz`)
  return updatedCount === 1
}
