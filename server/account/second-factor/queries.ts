import sql from 'sql-template-tag'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Call the functions of this file as table owner, because tenants have no access to credentials. */

export type StoredSecondFactors = {
  readonly totpSince: string | null
  readonly passkeys: number
  readonly recoveryLeft: number
  readonly isRequired: boolean
}

/** Returns a user's second factors and whether one is required: by the organisation, and always for operators. */
export async function findSecondFactors(db: Db, userId: number): Promise<StoredSecondFactors> {
  const [factors] = await db.query<StoredSecondFactors>(sql`
    select (select t.confirmed_at from totp_secrets t where t.user_id = u.id) as "totpSince",
      (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
      (select count(*)::int from recovery_codes r where r.user_id = u.id) as "recoveryLeft",
      u.role = ${OPERATOR_ROLE} or o.second_factor_required_at is not null as "isRequired"
    from users u join organisations o on o.id = u.organisation_id where u.id = ${userId}::int`)
  return factors ?? { totpSince: null, passkeys: 0, recoveryLeft: 0, isRequired: false }
}

export async function storePendingTotpSecret(db: Db, userId: number, sealed: string, now: Date): Promise<boolean> {
  const writtenCount = await db.execute(sql`
    insert into totp_secrets (user_id, sealed, created_at) values (${userId}::int, ${sealed}, ${now.toISOString()}::timestamptz)
    on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at, last_step = 0
      where totp_secrets.confirmed_at is null`)
  return writtenCount === 1
}

export async function findTotpSecret(
  db: Db,
  userId: number,
): Promise<{ readonly sealed: string; readonly isConfirmed: boolean } | undefined> {
  const rows = await db.query<{ sealed: string; isConfirmed: boolean }>(sql`
    select sealed, confirmed_at is not null as "isConfirmed" from totp_secrets where user_id = ${userId}::int`)
  return rows[0]
}

/**
 * Consumes the time step of a code and all earlier ones; only one of several parallel calls gets true. Reseals the
 * secret with the newest signing secret.
 */
export async function consumeTotpStep(
  db: Db,
  userId: number,
  { sealed, step, resealed }: { sealed: string; step: number; resealed: string },
): Promise<boolean> {
  const updatedCount = await db.execute(sql`
    update totp_secrets set last_step = ${step}::bigint, sealed = ${resealed}
    where user_id = ${userId}::int and sealed = ${sealed} and last_step < ${step}::bigint`)
  return updatedCount === 1
}

export async function markTotpConfirmed(tx: Db, userId: number, now: Date): Promise<boolean> {
  const confirmed = await tx.execute(sql`
    update totp_secrets set confirmed_at = ${now.toISOString()}::timestamptz
    where user_id = ${userId}::int and confirmed_at is null`)
  return confirmed === 1
}

export async function deleteTotpSecret(tx: Db, userId: number): Promise<boolean> {
  const rows = await tx.query(sql`delete from totp_secrets where user_id = ${userId}::int returning user_id`)
  return rows.length > 0
}

export async function replaceRecoveryCodes(
  tx: Db,
  userId: number,
  hashes: readonly string[],
  now: Date,
): Promise<void> {
  await tx.execute(sql`delete from recovery_codes where user_id = ${userId}::int`)
  await tx.execute(sql`
    insert into recovery_codes (user_id, code_hash, created_at)
    select ${userId}::int, hash, ${now.toISOString()}::timestamptz from unnest(${[...hashes]}::text[]) hash`)
}

export async function consumeRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const deletedCount = await db.execute(
    sql`delete from recovery_codes where user_id = ${userId}::int and code_hash = ${hash}`,
  )
  return deletedCount === 1
}

/** Deletes recovery codes when they are the only factor left, because they are useless alone. */
export async function deleteOrphanedRecoveryCodes(tx: Db, userId: number): Promise<void> {
  await tx.execute(sql`
    delete from recovery_codes r where r.user_id = ${userId}::int
      and not exists (select from totp_secrets t where t.user_id = r.user_id and t.confirmed_at is not null)
      and not exists (select from passkeys p where p.user_id = r.user_id)`)
}

export async function lockUser(tx: Db, userId: number): Promise<void> {
  await tx.query(sql`select from users where id = ${userId}::int for no key update`)
}

export async function removeAllSecondFactors(tx: Db, userId: number): Promise<number> {
  const totp = await tx.execute(sql`delete from totp_secrets where user_id = ${userId}::int`)
  const passkeys = await tx.execute(sql`delete from passkeys where user_id = ${userId}::int`)
  await tx.execute(sql`delete from recovery_codes where user_id = ${userId}::int`)
  return totp + passkeys
}

export async function setSecondFactorRequirement(tx: Db, organisationId: number, since: Date | null): Promise<boolean> {
  const at = since?.toISOString() ?? null
  const changed = await tx.execute(sql`
    update organisations set second_factor_required_at = ${at}::timestamptz
    where id = ${organisationId}::int and (second_factor_required_at is null) <> (${at}::timestamptz is null)`)
  return changed === 1
}

export async function findTeamSecondFactors(
  db: Db,
  organisationId: number,
): Promise<{ readonly users: number[]; readonly isRequired: boolean }> {
  const [factors] = await db.query<{ users: number[]; isRequired: boolean }>(sql`
    select o.second_factor_required_at is not null as "isRequired",
      array(select u.id from users u where u.organisation_id = o.id and (
        exists (select from totp_secrets t where t.user_id = u.id and t.confirmed_at is not null)
        or exists (select from passkeys p where p.user_id = u.id))) as users
    from organisations o where o.id = ${organisationId}::int`)
  return factors!
}

export async function findUserEmailAndName(
  db: Db,
  userId: number,
): Promise<{ readonly email: string; readonly name: string } | undefined> {
  const rows = await db.query<{ email: string; name: string }>(sql`
    select email, coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email) as name from users where id = ${userId}::int`)
  return rows[0]
}
