import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  availabilityResponseSchema,
  businessTypeSchema,
  joinRequestResponseSchema,
  REGISTRATION_OTP_LIFETIME_SECONDS,
  REGISTRATION_OTP_RESEND_DELAY_SECONDS,
  type RegistrationOtpResponse,
  registrationOtpResponseSchema,
  registrationStepOneResponseSchema,
  registrationStepTwoResponseSchema,
} from '#contract/account/registration.ts'
import {
  emailCheckRequestSchema,
  type JoinRequestBody,
  joinRequestBodySchema,
  organisationCheckRequestSchema,
  phoneCheckRequestSchema,
  registrationFinalStepSchema,
  registrationOtpRequestSchema,
  registrationStepOneSchema,
  registrationStepTwoSchema,
} from '#contract/account/registration-form.ts'
import { sessionTokensSchema } from '#contract/account/session.ts'
import { submitJoinRequest } from '#server/account/member/join-requests.ts'
import type { SessionService } from '#server/account/session/create-sessions.ts'
import { sendSessionResponse } from '#server/account/session/send-session-response.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderAlreadyRegisteredMail, renderRegistrationOtpMail } from '#server/platform/mail/account-mails.ts'
import { getRequestOrigin, type RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { type ActionRateLimit, consumeActionRateLimit, formatWaitTime } from '#server/platform/route/use-counts.ts'
import { withPaddedResponseTime } from '#server/platform/route/with-padded-response-time.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import { toOrganisationKey } from '#server/platform/text/organisation-key.ts'
import { BUSINESS_TYPES } from './business-types.ts'
import { type EmailCheckLimits, isProofOfWorkValid, reserveUnprovenEmailCheck } from './check-email-work.ts'
import { finishRegistration } from './finish-registration.ts'
import { createTakenFieldsProblem, isEmailTaken, isOrganisationNameTaken, isPhoneTaken, storeOtp } from './queries.ts'
import { generateOtp, hashOtp } from './registration-codes.ts'
import type { RegistrationContext } from './registration-context.ts'
import {
  addRegistrationOrganisation,
  beginAccountRegistration,
  getOpenRegistrationOrThrow,
} from './registration-steps.ts'

/** Limits codes to one per 60 s, five per form, and ten per address and day (R19). */
const PER_FORM: ActionRateLimit = {
  action: 'otp-form',
  maxUses: 5,
  windowSeconds: 60 * 60,
  gapSeconds: REGISTRATION_OTP_RESEND_DELAY_SECONDS,
}
const PER_ADDRESS: ActionRateLimit = { action: 'otp-mail', maxUses: 10, windowSeconds: 24 * 60 * 60, gapSeconds: 0 }

async function createOtp(context: RegistrationContext, formCode: string): Promise<RegistrationOtpResponse> {
  const { db, now, mails, secrets, enumeration } = context
  const codeHash = hashSecret(formCode)
  const { email, emailKey, hasOrganisation } = await getOpenRegistrationOrThrow(context, codeHash)
  if (!hasOrganisation) {
    const text = 'กรอกข้อมูลองค์กรก่อน แล้วจึงขอรหัส'
    throw new ProblemError('bad_input', { text, fields: { register_form_code: [text] } })
  }
  const at = now()
  const wait =
    (await consumeActionRateLimit(db, PER_FORM, codeHash, at)) ||
    (await consumeActionRateLimit(db, PER_ADDRESS, emailKey, at))
  if (wait > 0) throw tooEarly(wait)
  const isTaken = enumeration === 'strict' && (await isEmailTaken(db, emailKey))
  const otp = generateOtp()
  const expiresAt = new Date(at.getTime() + REGISTRATION_OTP_LIFETIME_SECONDS * 1000)
  const content = isTaken
    ? renderAlreadyRegisteredMail({ loginUrl: mails.link('/login'), resetUrl: mails.link('/reset-password') })
    : renderRegistrationOtpMail({ otp, minutes: REGISTRATION_OTP_LIFETIME_SECONDS / 60 })
  await db.transaction(async (tx) => {
    // A null hash matches no code, so a taken email address cannot be registered again.
    await storeOtp(tx, codeHash, { hash: isTaken ? null : hashOtp(otp, codeHash, secrets[0]), expiresAt }, at)
    await mails.queue(
      tx,
      { kind: isTaken ? 'already_registered' : 'register_otp', to: email, content, notAfter: expiresAt },
      at,
    )
  })
  return {
    message: 'ส่งรหัสไปทางอีเมลแล้ว',
    email: maskEmail(email),
    expires_in: REGISTRATION_OTP_LIFETIME_SECONDS,
    resend_after: REGISTRATION_OTP_RESEND_DELAY_SECONDS,
  }
}

function tooEarly(seconds: number): ProblemError {
  return new ProblemError('too_many_requests', {
    text: `ขอรหัสใหม่ได้ในอีก ${formatWaitTime(seconds)}`,
    retryAfterSeconds: seconds,
  })
}

/**
 * Limits per form and per address count only the requester's own requests, so they reveal nothing about the
 * organisation.
 */
const JOINS_PER_FORM: ActionRateLimit = { action: 'join-form', maxUses: 3, windowSeconds: 60 * 60, gapSeconds: 0 }
const JOINS_PER_ADDRESS: ActionRateLimit = {
  action: 'join-mail',
  maxUses: 5,
  windowSeconds: 24 * 60 * 60,
  gapSeconds: 0,
}

/**
 * Requests to join an existing organisation by name. The response is always the same.
 * @throws ProblemError 400 for an expired form, 429 after too many requests.
 */
async function requestToJoin(
  context: RegistrationContext,
  body: JoinRequestBody,
  origin: RequestOrigin,
): Promise<{ message: string }> {
  const codeHash = hashSecret(body.register_form_code)
  const { email, emailKey } = await getOpenRegistrationOrThrow(context, codeHash)
  const at = context.now()
  const wait =
    (await consumeActionRateLimit(context.db, JOINS_PER_FORM, codeHash, at)) ||
    (await consumeActionRateLimit(context.db, JOINS_PER_ADDRESS, emailKey, at))
  if (wait > 0) {
    const text = `ส่งคำขอบ่อยเกินไป ส่งอีกครั้งได้ในอีก ${formatWaitTime(wait)}`
    throw new ProblemError('too_many_requests', { text, retryAfterSeconds: wait })
  }
  const name = `${body.firstname} ${body.lastname}`
  await withPaddedResponseTime(() =>
    submitJoinRequest(context, { email, emailKey, name, organisationName: body.organization_name }, origin),
  )
  return {
    message: 'ส่งคำขอแล้ว ถ้าชื่อนี้ตรงกับองค์กรที่ใช้งานอยู่ ผู้ดูแลขององค์กรจะเห็นคำขอ เมื่อรับแล้วลิงก์เข้าร่วมจะมาทางอีเมลของคุณ',
  }
}

/** Checks per hour and process above which enumeration is likely (R20). */
const ALARM_THRESHOLD = 200
const HOUR_MS = 60 * 60 * 1000

const TAKEN_CHECKS: Readonly<
  Record<'email' | 'phone' | 'organization_name', (db: Db, value: string) => Promise<boolean>>
> = {
  email: (db, email) => isEmailTaken(db, toEmailKey(email)),
  phone: isPhoneTaken,
  organization_name: (db, name) => isOrganisationNameTaken(db, toOrganisationKey(name)),
}
type CheckedField = keyof typeof TAKEN_CHECKS

/**
 * Takes equally long whether the value is taken or not. Reveals nothing in strict mode.
 * @throws ProblemError with `errors` when the value is taken.
 */
async function assertFree({ db, enumeration }: RegistrationContext, field: CheckedField, value: string): Promise<void> {
  await withPaddedResponseTime(async () => {
    if (enumeration === 'open' && (await TAKEN_CHECKS[field](db, value))) throw createTakenFieldsProblem([field])
  })
}

export function createAccountEnumerationAlarm(
  now: () => Date,
): (log: { warn(fields: object, text: string): void }) => void {
  let hourStartedAt = Number.NEGATIVE_INFINITY
  let checkCount = 0
  return (log) => {
    const at = now().getTime()
    if (at - hourStartedAt >= HOUR_MS) {
      hourStartedAt = at
      checkCount = 0
    }
    checkCount += 1
    if (checkCount === ALARM_THRESHOLD)
      log.warn({ checks: checkCount }, 'unusually many availability checks of e-mails, phones and names')
  }
}

type RegistrationOptions = RegistrationContext & {
  readonly sessions: SessionService
  readonly secureCookies: boolean
  readonly unproved: EmailCheckLimits
}

const tags = ['registration']
const FREE = { is_available: true } as const

export function registrationRoutes(app: RouteApp, options: RegistrationOptions): void {
  const alarm = createAccountEnumerationAlarm(options.now)
  const check = async (request: FastifyRequest, field: CheckedField, value: string) => {
    alarm(request.log)
    await assertFree(options, field, value)
    return FREE
  }
  const checked = { public: true, errorList: true } as const
  const response = { 200: availabilityResponseSchema }

  app.post(
    '/auth/check-email-exist',
    {
      config: checked,
      schema: {
        tags,
        summary: 'Check whether an e-mail address is available',
        body: emailCheckRequestSchema,
        response,
      },
    },
    async (request) => {
      const { email, work } = request.body
      if (!isProofOfWorkValid(work, email, options.now())) await reserveUnprovenEmailCheck(options, request.ip)
      return check(request, 'email', email)
    },
  )
  app.post(
    '/auth/check-phone-exist',
    {
      config: checked,
      schema: { tags, summary: 'Check whether a phone number is available', body: phoneCheckRequestSchema, response },
    },
    (request) => check(request, 'phone', request.body.phone),
  )
  app.post(
    '/auth/check-organization-exist',
    {
      config: checked,
      schema: {
        tags,
        summary: 'Check whether an organisation name is available',
        body: organisationCheckRequestSchema,
        response,
      },
    },
    (request) => check(request, 'organization_name', request.body.organizename),
  )

  app.get(
    '/organisations/business-types',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'List the business types an organisation can choose',
        response: { 200: z.array(businessTypeSchema) },
      },
    },
    async () => [...BUSINESS_TYPES],
  )

  app.post(
    '/auth/register-step-one',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Start a registration with e-mail and password; returns the form code, valid for 60 minutes',
        body: registrationStepOneSchema,
        response: { 200: registrationStepOneResponseSchema },
      },
    },
    (request) => beginAccountRegistration(options, request.body),
  )
  app.post(
    '/auth/register-step-two',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Submit the details of the organisation and the person. Repeatable until the registration is complete',
        body: registrationStepTwoSchema,
        response: { 200: registrationStepTwoResponseSchema },
      },
    },
    (request) => addRegistrationOrganisation(options, request.body),
  )
  app.post(
    '/auth/request-to-join',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Request to join the organisation with a given name; the response does not reveal whether it exists',
        body: joinRequestBodySchema,
        response: { 200: joinRequestResponseSchema },
      },
    },
    (request) => requestToJoin(options, request.body, getRequestOrigin(request)),
  )
  app.post(
    '/auth/create-register-otp',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Mail a new one-time code; the previous one becomes invalid',
        body: registrationOtpRequestSchema,
        response: { 200: registrationOtpResponseSchema },
      },
    },
    (request) => createOtp(options, request.body.register_form_code),
  )
  app.post(
    '/auth/register-step-final',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Create the account with the mailed code and log in; repeatable with the same Idempotency-Key',
        body: registrationFinalStepSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) => {
      const { register_form_code: formCode, otp } = request.body
      const idempotencyKey = request.headers['idempotency-key']?.toString()
      const origin = getRequestOrigin(request)
      const account = await finishRegistration(options, { formCode, otp, idempotencyKey }, origin)
      const device = { address: request.ip, userAgent: request.headers['user-agent'] }
      const session = await options.sessions.open({ ...account, isDemo: false, device })
      return sendSessionResponse(reply, session, options.secureCookies)
    },
  )
}
