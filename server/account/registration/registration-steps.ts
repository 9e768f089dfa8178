import {
  REGISTRATION_LIFETIME_SECONDS,
  type RegistrationStepOneResponse,
  type RegistrationStepTwoResponse,
  TERMS_OF_SERVICE_VERSION,
} from '#contract/account/registration.ts'
import type { RegistrationStepOne, RegistrationStepTwo } from '#contract/account/registration-form.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import { findGuessablePasswordReason } from '#server/platform/text/guessable-reason.ts'
import { toOrganisationKey } from '#server/platform/text/organisation-key.ts'
import { isBusinessTypeId } from './business-types.ts'
import {
  createTakenFieldsProblem,
  findOpenRegistration,
  insertRegistration,
  isEmailTaken,
  isOrganisationNameTaken,
  isPhoneTaken,
  type OpenRegistration,
  pruneRegistrations,
  storeRegistrationOrganisationStep,
} from './queries.ts'
import { generateRegistrationFormCode } from './registration-codes.ts'
import type { RegistrationContext } from './registration-context.ts'

/** Maximum length of tracking data; longer data is truncated, not rejected (C27). */
const MAX_TRACKING_LENGTH = 2000

/**
 * Starts a registration. Only the hash of the password is stored (R15).
 * @throws ProblemError at the fields `email` and `password`.
 */
export async function beginAccountRegistration(
  context: RegistrationContext,
  body: RegistrationStepOne,
): Promise<RegistrationStepOneResponse> {
  const { db, now, enumeration } = context
  const guessable = findGuessablePasswordReason(body.password, [body.email])
  if (guessable !== undefined)
    throw new ProblemError('bad_input', { text: guessable, fields: { password: [guessable] } })
  const emailKey = toEmailKey(body.email)
  if (enumeration === 'open' && (await isEmailTaken(db, emailKey))) throw createTakenFieldsProblem(['email'])
  const passwordHash = await hashPassword(body.password)
  const at = now()
  await pruneRegistrations(db, at)
  const { code, hash } = generateRegistrationFormCode()
  await insertRegistration(db, {
    codeHash: hash,
    email: body.email,
    emailKey,
    passwordHash,
    queryString: trackingText(body.query_string),
    clientInfo: trackingText(body.client_info),
    termsVersion: TERMS_OF_SERVICE_VERSION,
    at,
    expiresAt: new Date(at.getTime() + REGISTRATION_LIFETIME_SECONDS * 1000),
  })
  return { register_form_code: code, expires_in: REGISTRATION_LIFETIME_SECONDS }
}

export async function addRegistrationOrganisation(
  context: RegistrationContext,
  body: RegistrationStepTwo,
): Promise<RegistrationStepTwoResponse> {
  const { db, now, enumeration } = context
  const codeHash = hashSecret(body.register_form_code)
  const registration = await getOpenRegistrationOrThrow(context, codeHash)
  const businessTypes = [...new Set(body.organization_option ?? [])]
  if (!businessTypes.every(isBusinessTypeId)) {
    const text = 'เลือกประเภทธุรกิจจากรายการ'
    throw new ProblemError('bad_input', { text, fields: { organization_option: [text] } })
  }
  if (enumeration === 'open') {
    const isNameTaken = await isOrganisationNameTaken(db, toOrganisationKey(body.organization_name))
    const isNumberTaken = await isPhoneTaken(db, body.phone)
    if (isNameTaken || isNumberTaken) {
      throw createTakenFieldsProblem([
        ...(isNameTaken ? (['organization_name'] as const) : []),
        ...(isNumberTaken ? (['phone'] as const) : []),
      ])
    }
  }
  const stored = await storeRegistrationOrganisationStep(
    db,
    codeHash,
    {
      organizationName: body.organization_name,
      firstName: body.firstname,
      lastName: body.lastname,
      phone: body.phone,
      businessTypes,
      discoverChannel: body.discover_lightwork,
    },
    now(),
  )
  if (!stored) throw registrationOver()
  return {
    email: maskEmail(registration.email),
    expires_in: Math.max(0, Math.floor((Date.parse(registration.expiresAt) - now().getTime()) / 1000)),
  }
}

/**
 * Returns the open registration of a form code.
 * @throws ProblemError when there is none; unknown, expired and finished are indistinguishable (R15).
 */
export async function getOpenRegistrationOrThrow(
  { db, now }: RegistrationContext,
  codeHash: string,
): Promise<OpenRegistration> {
  const registration = await findOpenRegistration(db, codeHash, now())
  if (!registration) throw registrationOver()
  return registration
}

function registrationOver(): ProblemError {
  const text = 'การสมัครนี้หมดเวลาหรือเสร็จไปแล้ว เริ่มสมัครใหม่อีกครั้ง'
  return new ProblemError('bad_input', { text, fields: { register_form_code: [text] } })
}

function trackingText(tracking: string | Record<string, unknown> | null | undefined): string | null {
  if (tracking === null || tracking === undefined) return null
  const text = typeof tracking === 'string' ? tracking : JSON.stringify(tracking)
  // PostgreSQL text rejects U+0000 and lone surrogates, so remove them.
  return text
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .slice(0, MAX_TRACKING_LENGTH)
    .toWellFormed()
}
