import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

/** Call the functions of this file as table owner, because tenants have no access to credentials. */

export type PasskeyChallengePurpose = 'add' | 'login' | 'factor'

export async function storePasskeyChallenge(
  db: Db,
  row: { challenge: string; userId: number | null; purpose: PasskeyChallengePurpose; now: Date; expiresAt: Date },
): Promise<void> {
  await db.execute(sql`delete from passkey_challenges where expires_at <= ${row.now.toISOString()}::timestamptz`)
  await db.execute(sql`
    insert into passkey_challenges (challenge, user_id, purpose, expires_at)
    values (${row.challenge}, ${row.userId}::int, ${row.purpose}, ${row.expiresAt.toISOString()}::timestamptz)`)
}

export async function consumePasskeyChallenge(
  db: Db,
  {
    challenge,
    userId,
    purpose,
    now,
  }: { challenge: string; userId: number | null; purpose: PasskeyChallengePurpose; now: Date },
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from passkey_challenges
    where challenge = ${challenge} and user_id is not distinct from ${userId}::int and purpose = ${purpose}
      and expires_at > ${now.toISOString()}::timestamptz
    returning challenge`)
  return rows.length === 1
}

export type StoredPasskey = {
  readonly id: number
  readonly userId: number
  readonly credentialId: string
  readonly publicKey: string
  readonly signCount: number
  readonly transports: string[]
  readonly name: string
  readonly createdAt: string
  readonly usedAt: string | null
}

const passkey = sql`id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", sign_count::float8 as "signCount", transports,
  name, created_at as "createdAt", used_at as "usedAt"`

export async function listPasskeys(db: Db, userId: number): Promise<StoredPasskey[]> {
  return db.query<StoredPasskey>(
    sql`select ${passkey} from passkeys where user_id = ${userId}::int order by created_at, id`,
  )
}

export async function findPasskey(db: Db, credentialId: string): Promise<StoredPasskey | undefined> {
  const rows = await db.query<StoredPasskey>(sql`select ${passkey} from passkeys where credential_id = ${credentialId}`)
  return rows[0]
}

type NewPasskey = Pick<StoredPasskey, 'userId' | 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'name'> & {
  readonly at: Date
  readonly maxPasskeys: number
}

/**
 * Returns false when the account has reached the limit or the passkey is already registered. Call with the user locked.
 */
export async function insertPasskey(tx: Db, row: NewPasskey): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into passkeys (user_id, credential_id, public_key, sign_count, transports, name, created_at)
    select ${row.userId}::int, ${row.credentialId}, ${row.publicKey}, ${row.signCount}::bigint, ${[...row.transports]}::text[], ${row.name},
      ${row.at.toISOString()}::timestamptz
    where (select count(*) from passkeys p where p.user_id = ${row.userId}::int) < ${row.maxPasskeys}::int
    on conflict (credential_id) do nothing`)
  return inserted === 1
}

/** Records a use. Returns false when an equal or higher counter is already stored; counter 0 is always accepted. */
export async function recordPasskeyUse(db: Db, id: number, signCount: number, now: Date): Promise<boolean> {
  const noted = await db.execute(sql`
    update passkeys set sign_count = ${signCount}::bigint, used_at = ${now.toISOString()}::timestamptz
    where id = ${id}::int and (sign_count < ${signCount}::bigint or ${signCount}::bigint = 0)`)
  return noted === 1
}

export async function removePasskey(tx: Db, userId: number, id: number): Promise<string | undefined> {
  const [removed] = await tx.query<{ name: string }>(
    sql`delete from passkeys where id = ${id}::int and user_id = ${userId}::int returning name`,
  )
  return removed?.name
}
