import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/** Call the functions of this file as table owner, because tenants have no access to credentials. */

export type PendingEmailChange = {
  readonly id: number
  readonly newEmail: string
  readonly oldConfirmed: boolean
  readonly newConfirmed: boolean
  readonly expiresAt: string
}

export async function findPendingEmailChange(
  db: Db,
  userId: number,
  now: Date,
): Promise<PendingEmailChange | undefined> {
  const rows = await db.query<PendingEmailChange>(sql`
    select id, new_email as "newEmail", old_confirmed_at is not null as "oldConfirmed", new_confirmed_at is not null as "newConfirmed",
      expires_at as "expiresAt"
    from email_changes
    where user_id = ${userId}::int and done_at is null and stopped_at is null and expires_at > ${now.toISOString()}::timestamptz`)
  return rows[0]
}

export async function cancelPendingEmailChange(db: Db, userId: number, now: Date): Promise<boolean> {
  const stopped = await db.execute(sql`
    update email_changes set stopped_at = ${now.toISOString()}::timestamptz
    where user_id = ${userId}::int and done_at is null and stopped_at is null`)
  return stopped > 0
}

type NewChange = {
  readonly userId: number
  readonly oldEmail: string
  readonly newEmail: string
  readonly newEmailKey: string
  readonly oldTokenHash: string
  readonly newTokenHash: string
  readonly at: Date
  readonly expiresAt: Date
}

export async function insertEmailChange(tx: Db, row: NewChange): Promise<void> {
  await tx.query(sql`select from users where id = ${row.userId}::int for no key update`)
  await cancelPendingEmailChange(tx, row.userId, row.at)
  await tx.execute(sql`
    insert into email_changes (user_id, old_email, new_email, new_email_key, old_token_hash, new_token_hash, created_at, expires_at)
    values (${row.userId}::int, ${row.oldEmail}, ${row.newEmail}, ${row.newEmailKey}, ${row.oldTokenHash}, ${row.newTokenHash},
      ${row.at.toISOString()}::timestamptz, ${row.expiresAt.toISOString()}::timestamptz)`)
}

export type StoredEmailChange = {
  readonly id: number
  readonly userId: number
  readonly organisationId: number
  readonly side: 'old' | 'new'
  readonly oldEmail: string
  readonly newEmail: string
  readonly newEmailKey: string
  readonly isConfirmed: boolean
  readonly isDone: boolean
  readonly isOver: boolean
}

/**
 * Returns the change even if its link was used or has expired. Read-only, because mail scanners open links before
 * people do (R21).
 */
export async function findEmailChangeByToken(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<StoredEmailChange | undefined> {
  const rows = await db.query<StoredEmailChange>(sql`
    select c.id, u.id as "userId", u.organisation_id as "organisationId", c.old_email as "oldEmail", c.new_email as "newEmail",
      c.new_email_key as "newEmailKey", case when c.old_token_hash = ${tokenHash} then 'old' else 'new' end as side,
      case when c.old_token_hash = ${tokenHash} then c.old_confirmed_at else c.new_confirmed_at end is not null as "isConfirmed",
      c.done_at is not null as "isDone",
      c.stopped_at is not null or c.expires_at <= ${now.toISOString()}::timestamptz as "isOver"
    from email_changes c join users u on u.id = c.user_id join organisations o on o.id = u.organisation_id
    where (c.old_token_hash = ${tokenHash} or c.new_token_hash = ${tokenHash}) and not u.is_disabled and not o.is_disabled`)
  return rows[0]
}

export async function lockPendingEmailChange(tx: Db, id: number, now: Date): Promise<boolean> {
  const openRows = await tx.query(sql`
    select from email_changes
    where id = ${id}::int and done_at is null and stopped_at is null and expires_at > ${now.toISOString()}::timestamptz for update`)
  return openRows.length > 0
}

export async function confirmEmailChangeAddress(tx: Db, id: number, side: 'old' | 'new', now: Date): Promise<boolean> {
  const at = now.toISOString()
  const [row] = await tx.query<{ isBoth: boolean }>(sql`
    update email_changes set
      old_confirmed_at = case when ${side}::text = 'old' then coalesce(old_confirmed_at, ${at}::timestamptz) else old_confirmed_at end,
      new_confirmed_at = case when ${side}::text = 'new' then coalesce(new_confirmed_at, ${at}::timestamptz) else new_confirmed_at end
    where id = ${id}::int returning old_confirmed_at is not null and new_confirmed_at is not null as "isBoth"`)
  return row!.isBoth
}

/**
 * Applies the new address and invalidates password links sent to the old one. Rejects with 23505 when another account
 * has the address.
 */
export async function applyEmailChange(tx: Db, change: StoredEmailChange, now: Date): Promise<void> {
  const at = now.toISOString()
  await tx.execute(sql`
    update users set email = ${change.newEmail}, email_key = ${change.newEmailKey} where id = ${change.userId}::int`)
  await tx.execute(sql`update email_changes set done_at = ${at}::timestamptz where id = ${change.id}::int`)
  await tx.execute(sql`
    update password_resets set replaced_at = ${at}::timestamptz
    where user_id = ${change.userId}::int and used_at is null and replaced_at is null`)
}

export async function markEmailChangeCancelled(tx: Db, id: number, now: Date): Promise<void> {
  await tx.execute(sql`update email_changes set stopped_at = ${now.toISOString()}::timestamptz where id = ${id}::int`)
}

export async function findUserEmailAndKey(
  db: Db,
  userId: number,
): Promise<{ email: string; emailKey: string } | undefined> {
  const rows = await db.query<{ email: string; emailKey: string }>(
    sql`select email, email_key as "emailKey" from users where id = ${userId}::int`,
  )
  return rows[0]
}
