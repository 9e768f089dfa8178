import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

export type ClaimedRegistration = {
  email: string
  emailKey: string
  passwordHash: string
  organizationName: string
  firstName: string
  lastName: string
  phone: string
  businessTypes: number[]
  discoverChannel: string
  termsVersion: string
  termsAcceptedAt: string
}

/** Takes the registration for the one request that makes its account; of parallel ones all others get undefined. Call in its transaction. */
export async function claimRegistration(
  tx: Db,
  codeHash: string,
  { at, idempotencyHash }: { at: Date; idempotencyHash: string | null },
): Promise<ClaimedRegistration | undefined> {
  const [row] = await tx.query<ClaimedRegistration>(sql`
    select email, email_key as "emailKey", password_hash as "passwordHash", organization_name as "organizationName",
      first_name as "firstName", last_name as "lastName", phone, business_types as "businessTypes", discover_channel as "discoverChannel",
      terms_version as "termsVersion", terms_accepted_at as "termsAcceptedAt"
    from registrations where code_hash = ${codeHash} and completed_at is null for update`)
  if (!row) return undefined
  await tx.execute(sql`
    update registrations set completed_at = ${at.toISOString()}::timestamptz, idempotency_hash = ${idempotencyHash}
    where code_hash = ${codeHash}`)
  return row
}

/** The account stands: what was personal in the registration goes. Where the person came from stays with the number of the user. */
export async function closeRegistration(tx: Db, codeHash: string, userId: number): Promise<void> {
  await tx.execute(sql`
    update registrations set user_id = ${userId}::int, email = null, email_key = null, password_hash = null, organization_name = null,
      first_name = null, last_name = null, phone = null
    where code_hash = ${codeHash}`)
}

export type FinishedRegistration = { userId: number; organisationId: number; otpHash: string | null }

/** The account that a request with this key has made a moment ago (R46). */
export async function findFinished(
  db: Db,
  codeHash: string,
  { idempotencyHash, since }: { idempotencyHash: string; since: Date },
): Promise<FinishedRegistration | undefined> {
  const rows = await db.query<FinishedRegistration>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", r.otp_hash as "otpHash"
    from registrations r join users u on u.id = r.user_id join organisations o on o.id = u.organisation_id
    where r.code_hash = ${codeHash} and r.idempotency_hash = ${idempotencyHash} and r.completed_at > ${since.toISOString()}::timestamptz
      and not u.is_disabled and not o.is_disabled`)
  return rows[0]
}

export async function isEmailTaken(db: Db, emailKey: string): Promise<boolean> {
  return (await db.query(sql`select from users where email_key = ${emailKey}`)).length > 0
}

export async function isPhoneTaken(db: Db, phone: string): Promise<boolean> {
  return (await db.query(sql`select from users where phone = ${phone}`)).length > 0
}

export async function isOrganisationTaken(db: Db, nameKey: string): Promise<boolean> {
  return (await db.query(sql`select from organisations where name_key = ${nameKey}`)).length > 0
}
