import sql from 'sql-template-tag'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

const TAKEN_TEXTS = {
  email: 'อีเมลนี้มีบัญชีอยู่แล้ว เข้าสู่ระบบหรือตั้งรหัสผ่านใหม่ได้เลย',
  phone: 'เบอร์โทรศัพท์นี้มีผู้ใช้อยู่แล้ว',
  organization_name: 'ชื่อองค์กรนี้สมัครไว้แล้ว ขอให้ผู้ดูแลขององค์กรเพิ่มคุณเข้าใช้งาน',
} as const
type TakenField = keyof typeof TAKEN_TEXTS

/** Returns a 400 with messages for the taken fields, per field and in `errors` (specification section 8). */
export function createTakenFieldsProblem(fields: readonly TakenField[]): ProblemError {
  const errors = fields.map((field) => TAKEN_TEXTS[field])
  return new ProblemError('bad_input', {
    text: errors[0] ?? '',
    fields: { errors, ...Object.fromEntries(fields.map((field) => [field, [TAKEN_TEXTS[field]]])) },
  })
}

const FIELD_BY_INDEX: Readonly<Record<string, TakenField>> = {
  users_email_key_key: 'email',
  users_by_phone: 'phone',
  organisations_by_name: 'organization_name',
}

/**
 * Converts the unique violation of a concurrent registration (R18) into a ProblemError; returns other errors unchanged.
 */
export function convertUniqueViolationToProblem(error: unknown): unknown {
  const field =
    error instanceof StatementError && error.code === '23505' ? FIELD_BY_INDEX[error.constraint ?? ''] : undefined
  return field ? createTakenFieldsProblem([field]) : error
}

type ClaimedRegistration = {
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

/**
 * Claims the registration for the request that creates its account; parallel requests get undefined. Call in the
 * transaction of that request.
 */
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

/**
 * Links a completed registration to its user and removes the personal data from it, which the account now holds. The
 * acquisition source stays.
 */
export async function closeRegistration(tx: Db, codeHash: string, userId: number): Promise<void> {
  await tx.execute(sql`
    update registrations set user_id = ${userId}::int, email = null, email_key = null, password_hash = null, organization_name = null,
      first_name = null, last_name = null, phone = null
    where code_hash = ${codeHash}`)
}

type FinishedRegistration = { userId: number; organisationId: number; otpHash: string | null }

export async function findFinishedRegistration(
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

export async function isOrganisationNameTaken(db: Db, nameKey: string): Promise<boolean> {
  return (await db.query(sql`select from organisations where name_key = ${nameKey}`)).length > 0
}

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

export type RegistrationOrganisationDetails = {
  organizationName: string
  firstName: string
  lastName: string
  phone: string
  businessTypes: number[]
  discoverChannel: string
}

export type OpenRegistration = { email: string; emailKey: string; expiresAt: string; hasOrganisation: boolean }

export async function findOpenRegistration(db: Db, codeHash: string, now: Date): Promise<OpenRegistration | undefined> {
  const rows = await db.query<OpenRegistration>(sql`
    select email, email_key as "emailKey", expires_at as "expiresAt", organization_name is not null as "hasOrganisation"
    from registrations
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${now.toISOString()}::timestamptz`)
  return rows[0]
}

export async function storeRegistrationOrganisationStep(
  db: Db,
  codeHash: string,
  step: RegistrationOrganisationDetails,
  now: Date,
): Promise<boolean> {
  const stored = await db.execute(sql`
    update registrations set organization_name = ${step.organizationName}, first_name = ${step.firstName}, last_name = ${step.lastName},
      phone = ${step.phone}, business_types = ${step.businessTypes}::int[], discover_channel = ${step.discoverChannel}
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${now.toISOString()}::timestamptz`)
  return stored === 1
}

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

/** Maximum tries per code (R17). */
const MAX_TRIES = 5

/**
 * Consumes a try before the code is compared, so that parallel guesses cannot exceed the limit; undefined when none is
 * left.
 */
export async function reserveOtpAttempt(
  db: Db,
  codeHash: string,
  now: Date,
): Promise<{ otpHash: string | null } | undefined> {
  const at = now.toISOString()
  const rows = await db.query<{ otpHash: string | null }>(sql`
    update registrations set otp_attempts = otp_attempts + 1
    where code_hash = ${codeHash} and completed_at is null and expires_at > ${at}::timestamptz
      and otp_expires_at > ${at}::timestamptz and otp_attempts < ${MAX_TRIES}::int and organization_name is not null
    returning otp_hash as "otpHash"`)
  return rows[0]
}

export async function pruneRegistrations(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    delete from registrations
    where (completed_at is null and expires_at < ${at}::timestamptz) or completed_at < ${at}::timestamptz - interval '90 days'`)
}
