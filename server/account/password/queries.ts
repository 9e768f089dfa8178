import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type PasswordOwner = {
  userId: number
  organisationId: number
  email: string
  firstName: string | null
  lastName: string | null
  organisationName: string
}

const owner = sql`u.id as "userId", u.organisation_id as "organisationId", u.email, u.first_name as "firstName", u.last_name as "lastName",
  o.name as "organisationName"`

export async function findPasswordResetOwner(
  db: Db,
  emailKey: string,
  demoCode: string,
): Promise<PasswordOwner | undefined> {
  const rows = await db.query<PasswordOwner>(sql`
    select ${owner} from users u join organisations o on o.id = u.organisation_id
    where u.email_key = ${emailKey} and not u.is_disabled and not o.is_disabled and o.code <> ${demoCode}`)
  return rows[0]
}

export async function insertPasswordReset(
  tx: Db,
  reset: { tokenHash: string; userId: number; at: Date; expiresAt: Date },
): Promise<void> {
  const at = reset.at.toISOString()
  await tx.execute(sql`select from users where id = ${reset.userId}::int for update`)
  await tx.execute(sql`
    update password_resets set replaced_at = ${at}::timestamptz
    where user_id = ${reset.userId}::int and used_at is null and replaced_at is null`)
  await tx.execute(sql`
    insert into password_resets (token_hash, user_id, created_at, expires_at)
    values (${reset.tokenHash}, ${reset.userId}::int, ${at}::timestamptz, ${reset.expiresAt.toISOString()}::timestamptz)`)
  await tx.execute(sql`delete from password_resets where created_at < ${at}::timestamptz - interval '7 days'`)
}

export type StoredPasswordReset = PasswordOwner & { isUsed: boolean; isOver: boolean }

/**
 * Returns the reset link even if it was used or has expired. Read-only, because mail scanners open links before people
 * do (R21).
 */
export async function findPasswordReset(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<StoredPasswordReset | undefined> {
  const rows = await db.query<StoredPasswordReset>(sql`
    select ${owner}, r.used_at is not null as "isUsed",
      r.replaced_at is not null or r.expires_at <= ${now.toISOString()}::timestamptz as "isOver"
    from password_resets r join users u on u.id = r.user_id join organisations o on o.id = u.organisation_id
    where r.token_hash = ${tokenHash} and not u.is_disabled and not o.is_disabled`)
  return rows[0]
}

export async function consumePasswordReset(tx: Db, tokenHash: string, now: Date): Promise<boolean> {
  const at = now.toISOString()
  const updatedCount = await tx.execute(sql`
    update password_resets set used_at = ${at}::timestamptz
    where token_hash = ${tokenHash} and used_at is null and replaced_at is null and expires_at > ${at}::timestamptz`)
  return updatedCount === 1
}

export async function findPasswordHashByUserId(
  db: Db,
  userId: number,
): Promise<(PasswordOwner & { emailKey: string; passwordHash: string }) | undefined> {
  const rows = await db.query<PasswordOwner & { emailKey: string; passwordHash: string }>(sql`
    select ${owner}, u.email_key as "emailKey", u.password_hash as "passwordHash"
    from users u join organisations o on o.id = u.organisation_id where u.id = ${userId}::int`)
  return rows[0]
}

export type UpdatedPasswordOwner = { readonly userId: number; readonly organisationId: number; readonly email: string }

/**
 * Stores a new password and clears failed logins. Call as table owner, in a transaction. Returns undefined for an
 * unknown user.
 */
export async function storePassword(
  tx: Db,
  { userId, passwordHash }: { readonly userId: number; readonly passwordHash: string },
): Promise<UpdatedPasswordOwner | undefined> {
  const [user] = await tx.query<UpdatedPasswordOwner & { emailKey: string }>(sql`
    update users set password_hash = ${passwordHash} where id = ${userId}::int
    returning id as "userId", organisation_id as "organisationId", email, email_key as "emailKey"`)
  if (!user) return undefined
  const { emailKey, ...holder } = user
  await tx.execute(sql`delete from login_failures where email_key = ${emailKey}`)
  return holder
}
