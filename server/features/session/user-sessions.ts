import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Ends every session of a user, with all its tokens, except the one named; answers how many were alive. The one way to do so (R12). */
export async function endSessionsOfUser(
  tx: Db,
  userId: number,
  { at, except }: { at: Date; except?: string | undefined },
): Promise<number> {
  return tx.execute(sql`
    update sessions set revoked_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and revoked_at is null and id is distinct from ${except ?? null}::text`)
}

/** No browser of the user goes without the second factor any more. Call as the owner. */
export async function endTrustOfUser(tx: Db, userId: number): Promise<void> {
  await tx.execute(sql`update known_devices set trusted_until = null where user_id = ${userId}::int`)
}

export type PasswordHolder = { userId: number; organisationId: number; email: string }

/**
 * Stores a new password: every session of the user ends except the one named, failed logins are forgiven, and no link that was sent
 * before sets another one. Call as the owner, in a transaction. Undefined when there is no such user.
 */
export async function storeNewPassword(
  tx: Db,
  change: { userId: number; passwordHash: string; at: Date; keepSession?: string | undefined },
): Promise<PasswordHolder | undefined> {
  const at = change.at.toISOString()
  const [user] = await tx.query<PasswordHolder & { emailKey: string }>(sql`
    update users set password_hash = ${change.passwordHash} where id = ${change.userId}::int
    returning id as "userId", organisation_id as "organisationId", email, email_key as "emailKey"`)
  if (!user) return undefined
  const { emailKey, ...holder } = user
  await endSessionsOfUser(tx, holder.userId, { at: change.at, except: change.keepSession })
  await endTrustOfUser(tx, holder.userId)
  await tx.execute(sql`delete from login_failures where email_key = ${emailKey}`)
  await tx.execute(sql`
    update password_resets set replaced_at = ${at}::timestamptz
    where user_id = ${holder.userId}::int and used_at is null and replaced_at is null`)
  return holder
}
