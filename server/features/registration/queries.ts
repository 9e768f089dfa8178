import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

export type NewRegistration = {
  codeHash: string
  email: string
  emailKey: string
  passwordHash: string
  queryString: string | null
  clientInfo: string | null
  termsVersion: string
  at: Date
  expiresAt: Date
}

export async function insertRegistration(db: Db, row: NewRegistration): Promise<void> {
  const at = row.at.toISOString()
  await db.execute(sql`
    insert into registrations (code_hash, email, email_key, password_hash, query_string, client_info, terms_version, terms_accepted_at,
      created_at, expires_at)
    values (${row.codeHash}, ${row.email}, ${row.emailKey}, ${row.passwordHash}, ${row.queryString}, ${row.clientInfo}, ${row.termsVersion},
      ${at}::timestamptz, ${at}::timestamptz, ${row.expiresAt.toISOString()}::timestamptz)`)
}

export type OrganisationStep = {
  organizationName: string
  firstName: string
  lastName: string
  phone: string
  businessTypes: number[]
  discoverChannel: string
}

export type OpenRegistration = { email: string; emailKey: string; expiresAt: string; hasOrganisation: boolean }

/** A registration that is neither finished nor over. */
export async function findOpenRegistration(db: Db, codeHash: string, now: Date): Promise<OpenRegistration | undefined> {
  const rows = await db.query<OpenRegistration>(sql`
    select email, email_key as "emailKey", expires_at as "expiresAt", organization_name is not null as "hasOrganisation"
    from registrations
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${now.toISOString()}::timestamptz`)
  return rows[0]
}

export async function storeOrganisationStep(
  db: Db,
  codeHash: string,
  step: OrganisationStep,
  now: Date,
): Promise<boolean> {
  const stored = await db.execute(sql`
    update registrations set organization_name = ${step.organizationName}, first_name = ${step.firstName}, last_name = ${step.lastName},
      phone = ${step.phone}, business_types = ${step.businessTypes}::int[], discover_channel = ${step.discoverChannel}
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${now.toISOString()}::timestamptz`)
  return stored === 1
}

/** Puts a new code in the place of the old one, with all its tries. */
export async function storeOtp(
  tx: Db,
  codeHash: string,
  otp: { hash: string | null; expiresAt: Date },
  now: Date,
): Promise<boolean> {
  const stored = await tx.execute(sql`
    update registrations set otp_hash = ${otp.hash}::text, otp_expires_at = ${otp.expiresAt.toISOString()}::timestamptz, otp_attempts = 0
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${now.toISOString()}::timestamptz`)
  return stored === 1
}

/** Tries that one code allows (R17). */
const MOST_TRIES = 5

/** Takes one of the code's tries before it is compared, so that fifty at once are not fifty tries; undefined when there is none left. */
export async function reserveTry(db: Db, codeHash: string, now: Date): Promise<{ otpHash: string | null } | undefined> {
  const at = now.toISOString()
  const rows = await db.query<{ otpHash: string | null }>(sql`
    update registrations set otp_attempts = otp_attempts + 1
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${at}::timestamptz
      and otp_expires_at > ${at}::timestamptz and otp_attempts < ${MOST_TRIES}::int and organization_name is not null
    returning otp_hash as "otpHash"`)
  return rows[0]
}

/** Removes registrations that were not finished in time, and what is left of finished ones after three months. */
export async function pruneRegistrations(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    delete from registrations
    where (completed_at is null and expires_at < ${at}::timestamptz) or completed_at < ${at}::timestamptz - interval '90 days'`)
}
