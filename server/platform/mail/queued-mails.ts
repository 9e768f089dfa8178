import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type MailRow = {
  readonly kind: string
  readonly messageId: string
  readonly sealed: string
  readonly at: Date
  readonly notAfter?: Date | undefined
  readonly dedupeKey?: string | undefined
  readonly userId?: number | undefined
  readonly organisationId?: number | undefined
}

export async function insertMail(tx: Db, mail: MailRow): Promise<number | undefined> {
  const [row] = await tx.query<{ id: number }>(sql`
    insert into mails (kind, dedupe_key, message_id, sealed, created_at, not_after, user_id, organisation_id)
    values (${mail.kind}, ${mail.dedupeKey ?? null}, ${mail.messageId}, ${mail.sealed}, ${mail.at.toISOString()}::timestamptz,
            ${mail.notAfter?.toISOString() ?? null}::timestamptz, ${mail.userId ?? null}::int, ${mail.organisationId ?? null}::int)
    on conflict (dedupe_key) do nothing
    returning id`)
  return row?.id
}

export type QueuedMail = { kind: string; messageId: string; sealed: string; notAfter: string | null }

export async function findQueuedMail(db: Db, id: number): Promise<QueuedMail | undefined> {
  const rows = await db.query<QueuedMail>(sql`
    select kind, message_id as "messageId", sealed, not_after as "notAfter" from mails where id = ${id} and state = 'queued'`)
  return rows[0]
}

/**
 * Records the outcome of an email. Sent and expired emails lose their text (R14). Failed ones keep it sealed for some
 * days, so that an operator can resend them; emails in the local outbox stay sealed.
 */
export async function recordDeliveryOutcome(
  tx: Db,
  id: number,
  state: 'sent' | 'kept' | 'expired' | 'failed',
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    update mails set state = ${state}, sealed = case when ${state}::text in ('kept', 'failed') then sealed end, settled_at = ${at.toISOString()}::timestamptz
    where id = ${id}`)
}

/**
 * Deletes sent, failed and expired emails after 90 days (7 for the local outbox), and the text of failed ones after 7
 * days (decision 0056).
 */
export async function pruneMails(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    update mails set sealed = null
    where state = 'failed' and sealed is not null and (settled_at < ${at}::timestamptz - interval '7 days' or not_after <= ${at}::timestamptz)`)
  await db.execute(sql`
    delete from mails where settled_at < ${at}::timestamptz - case when state = 'kept' then interval '7 days' else interval '90 days' end`)
}
