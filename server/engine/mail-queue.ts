import sql from 'sql-template-tag'
import type { Db } from './db.ts'

export type QueuedMail = {
  readonly kind: string
  readonly messageId: string
  readonly sealed: string
  readonly at: Date
  /** After this moment the mail is of no use and is not sent. */
  readonly notAfter?: Date | undefined
  /** A mail with the same key is asked for only once (R52). */
  readonly dedupeKey?: string | undefined
  readonly userId?: number | undefined
  readonly organisationId?: number | undefined
}

/** Puts a mail into the queue, in the transaction of what it tells about; a worker sends it. */
export async function queueMail(tx: Db, mail: QueuedMail): Promise<void> {
  const at = mail.at.toISOString()
  await tx.execute(sql`
    insert into mails (kind, dedupe_key, message_id, sealed, created_at, next_at, not_after, user_id, organisation_id)
    values (${mail.kind}, ${mail.dedupeKey ?? null}, ${mail.messageId}, ${mail.sealed}, ${at}::timestamptz, ${at}::timestamptz,
            ${mail.notAfter?.toISOString() ?? null}::timestamptz, ${mail.userId ?? null}::int, ${mail.organisationId ?? null}::int)
    on conflict (dedupe_key) do nothing`)
}

/** A worker that dies leaves its mail to the others after this long (R52). */
const LEASE = '60 seconds'

export type ClaimedMail = {
  id: number
  kind: string
  messageId: string
  sealed: string
  attempts: number
  createdAt: string
}

/** The mail that has waited longest, for this worker alone until its lease ends; undefined when nothing is due. */
export async function claimMail(db: Db, holder: string, now: Date): Promise<ClaimedMail | undefined> {
  const at = now.toISOString()
  const rows = await db.query<ClaimedMail>(sql`
    update mails set state = 'sending', attempts = attempts + 1, holder = ${holder}, lease_until = ${at}::timestamptz + ${LEASE}::interval
    where id = (
      select id from mails
      where (state = 'queued' and next_at <= ${at}::timestamptz) or (state = 'sending' and lease_until <= ${at}::timestamptz)
      order by next_at, id limit 1 for update skip locked
    )
    returning id, kind, message_id as "messageId", sealed, attempts, created_at as "createdAt"`)
  return rows[0]
}

/** Keeps the claim while a slow mail server is waited for; false when it went to another worker. */
export async function renewClaim(db: Db, id: number, holder: string, now: Date): Promise<boolean> {
  return (
    (await db.execute(sql`
      update mails set lease_until = ${now.toISOString()}::timestamptz + ${LEASE}::interval
      where id = ${id} and holder = ${holder} and state = 'sending'`)) === 1
  )
}

export type MailOutcome =
  | { readonly state: 'sent' | 'kept' }
  | { readonly state: 'failed'; readonly failure: string }
  | { readonly state: 'queued'; readonly failure: string; readonly nextAt: Date }

/** Writes down what became of a claimed mail. What is sent or given up loses its text (R14); what is kept in the local outbox stays sealed. */
export async function settleMail(db: Db, id: number, holder: string, outcome: MailOutcome, now: Date): Promise<void> {
  const isOver = outcome.state !== 'queued'
  await db.execute(sql`
    update mails set state = ${outcome.state}, holder = null, lease_until = null,
      failure = ${'failure' in outcome ? outcome.failure : null},
      sealed = case when ${outcome.state === 'sent' || outcome.state === 'failed'} then null else sealed end,
      next_at = ${('nextAt' in outcome ? outcome.nextAt : now).toISOString()}::timestamptz,
      settled_at = ${isOver ? now.toISOString() : null}::timestamptz
    where id = ${id} and holder = ${holder}`)
}

/** Gives up the waiting mails whose time is over; answers how many. */
export async function expireMails(db: Db, now: Date): Promise<number> {
  const at = now.toISOString()
  return db.execute(sql`
    update mails set state = 'expired', sealed = null, holder = null, lease_until = null, settled_at = ${at}::timestamptz
    where state in ('queued', 'sending') and not_after <= ${at}::timestamptz
      and (state = 'queued' or lease_until <= ${at}::timestamptz)`)
}

/** Forgets mails that were settled long ago, and what the local outbox has kept for longer than anybody looks. */
export async function pruneMails(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    delete from mails where settled_at < ${at}::timestamptz - case when state = 'kept' then interval '7 days' else interval '90 days' end`)
}
