import { z } from 'zod/mini'
import {
  messageResponseSchema,
  PASSWORD_RESET_LINK_LIFETIME_SECONDS,
  passwordResetVerificationResponseSchema,
} from '#contract/account/password.ts'
import {
  type PasswordChange,
  type PasswordResetConfirmation,
  passwordChangeSchema,
  passwordResetConfirmationSchema,
  passwordResetRequestSchema,
} from '#contract/account/password-form.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { renderPasswordResetMail } from '#server/platform/mail/account-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { hashPassword, verifyPassword } from '#server/platform/route/password-hash.ts'
import { getRequestOrigin, type RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { type ActionRateLimit, consumeActionRateLimit } from '#server/platform/route/use-counts.ts'
import { withPaddedResponseTime } from '#server/platform/route/with-padded-response-time.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import {
  consumePasswordReset,
  findPasswordHashByUserId,
  findPasswordReset,
  findPasswordResetOwner,
  insertPasswordReset,
  type StoredPasswordReset,
} from './queries.ts'
import { assertPasswordNotGuessable, setNewPassword } from './set-new-password.ts'

/** Limits reset emails to one a minute and five an hour per address, whether or not it has an account (R20). */
const PER_ADDRESS: ActionRateLimit = { action: 'reset-mail', maxUses: 5, windowSeconds: 60 * 60, gapSeconds: 60 }

/**
 * Emails a link if the address has an account. Response and duration are the same either way (R20).
 * @throws ProblemError `too_many_requests`, also the same either way.
 */
async function requestReset({ db, now, mails }: RouteContext, email: string, origin: RequestOrigin): Promise<void> {
  await withPaddedResponseTime(async () => {
    const emailKey = toEmailKey(email)
    const at = now()
    const wait = await consumeActionRateLimit(db, PER_ADDRESS, emailKey, at)
    if (wait > 0) {
      const minutes = Math.ceil(wait / 60)
      throw new ProblemError('too_many_requests', {
        text: `เพิ่งขอลิงก์ไป ดูในกล่องอีเมลและกล่องจดหมายขยะก่อน ขอใหม่ได้ในอีก ${minutes} นาที`,
        retryAfterSeconds: wait,
      })
    }
    const owner = await findPasswordResetOwner(db, emailKey, DEMO_ORGANISATION_CODE)
    if (!owner) return
    const { userId, organisationId } = owner
    const token = generateSecretToken()
    const expiresAt = new Date(at.getTime() + PASSWORD_RESET_LINK_LIFETIME_SECONDS * 1000)
    const content = renderPasswordResetMail({
      url: mails.link(`/reset-password/${token}`),
      minutes: PASSWORD_RESET_LINK_LIFETIME_SECONDS / 60,
    })
    await db.transaction(async (tx) => {
      await insertPasswordReset(tx, { tokenHash: hashSecret(token), userId, at, expiresAt })
      await mails.queue(
        tx,
        { kind: 'password_reset', to: owner.email, content, notAfter: expiresAt, userId, organisationId },
        at,
      )
      await recordAuditEvent(tx, { kind: 'password_reset_requested', at, userId, organisationId, ...origin })
    })
  })
}

async function verifyReset({ db, now }: RouteContext, token: string): Promise<string> {
  return maskEmail(requireUsable(await findPasswordReset(db, hashSecret(token), now())).email)
}

/**
 * Sets the password with a single-use link and ends every session of the user (R12).
 * @throws ProblemError for an invalid link, or at `new_password`.
 */
async function confirmReset(
  { db, now, mails }: RouteContext,
  token: string,
  { new_password, end_secret_addresses: endsEverything = false }: PasswordResetConfirmation,
  origin: RequestOrigin,
): Promise<void> {
  const tokenHash = hashSecret(token)
  const owner = requireUsable(await findPasswordReset(db, tokenHash, now()))
  assertPasswordNotGuessable(new_password, owner)
  const passwordHash = await hashPassword(new_password)
  const at = now()
  await db.transaction(async (tx) => {
    if (!(await consumePasswordReset(tx, tokenHash, at))) throw linkProblem('reset_link_used')
    const change = { userId: owner.userId, passwordHash, at, endsEverything, kind: 'password_reset' } as const
    await setNewPassword(tx, mails, { ...change, ...origin })
  })
}

function requireUsable(reset: StoredPasswordReset | undefined): StoredPasswordReset {
  if (!reset) throw linkProblem('reset_link_unknown')
  if (reset.isUsed) throw linkProblem('reset_link_used')
  if (reset.isOver) throw linkProblem('reset_link_expired')
  return reset
}

const linkProblem = (code: 'reset_link_unknown' | 'reset_link_used' | 'reset_link_expired') => new ProblemError(code)

/**
 * Changes the actor's password and ends every other session (R12), plus all other access without a login if requested.
 * @throws ProblemError at `new_password`.
 */
async function changePassword(
  { db, now, mails }: RouteContext,
  actor: Actor,
  { new_password, end_secret_addresses: endsEverything = false }: PasswordChange,
  origin: RequestOrigin,
): Promise<void> {
  const owner = await findPasswordHashByUserId(db, actor.userId)
  if (!owner) throw new ProblemError('session_invalid')
  if (await verifyPassword(new_password, owner.passwordHash))
    throw fieldProblem('new_password', 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านปัจจุบัน')
  assertPasswordNotGuessable(new_password, owner)
  const passwordHash = await hashPassword(new_password)
  const { userId } = owner
  const { sessionId: keepSession } = actor
  const change = { userId, passwordHash, at: now(), keepSession, endsEverything, kind: 'password_changed' } as const
  await runWithoutTenant(() => db.transaction((tx) => setNewPassword(tx, mails, { ...change, ...origin })))
}

const fieldProblem = (field: string, text: string) =>
  new ProblemError('bad_input', { text, fields: { [field]: [text] } })

const tags = ['password']
const params = z.object({ token: z.string() })
const RESET_MAIL_RESPONSE = { message: 'ถ้าอีเมลนี้มีบัญชีอยู่ เราส่งลิงก์สำหรับตั้งรหัสผ่านใหม่ไปแล้ว ลิงก์ใช้ได้ 60 นาที' }

export function passwordRoutes(app: RouteApp, context: RouteContext): void {
  app.post(
    '/auth/check-email-exist/forgot-password',
    {
      config: { public: true },
      schema: {
        tags,
        summary:
          'Check whether a password reset may be requested. The answer is always yes, so that it does not reveal who has an account',
        body: passwordResetRequestSchema,
        response: { 200: messageResponseSchema },
      },
    },
    async () => ({ message: 'ขอลิงก์ตั้งรหัสผ่านใหม่ได้' }),
  )
  app.post(
    '/password/reset',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Mail a password reset link if the address has an account. The response is the same either way',
        body: passwordResetRequestSchema,
        response: { 200: messageResponseSchema },
      },
    },
    async (request) => {
      await requestReset(context, request.body.email, getRequestOrigin(request))
      return RESET_MAIL_RESPONSE
    },
  )
  app.get(
    '/password/reset/verify/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Check whether a password reset link is still valid; changes nothing',
        params,
        response: { 200: passwordResetVerificationResponseSchema },
      },
    },
    async (request) => ({ message: 'ลิงก์นี้ใช้ได้', email: await verifyReset(context, request.params.token) }),
  )
  app.post(
    '/password/reset/confirm/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Set a new password with a reset link. Ends every session and does not open a new one',
        params,
        body: passwordResetConfirmationSchema,
        response: { 200: messageResponseSchema },
      },
    },
    async (request) => {
      await confirmReset(context, request.params.token, request.body, getRequestOrigin(request))
      return { message: 'ตั้งรหัสผ่านใหม่แล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่ได้เลย' }
    },
  )
  app.post(
    '/password/change',
    {
      config: { demo: 'forbidden', fresh: true, operator: true, setUp: true },
      schema: {
        tags,
        summary: 'Change the password of the signed-in user; ends every other session',
        body: passwordChangeSchema,
        response: { 200: messageResponseSchema },
      },
    },
    async (request) => {
      await changePassword(context, await context.actorOf(request), request.body, getRequestOrigin(request))
      return { message: 'เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่นถูกออกจากระบบแล้ว' }
    },
  )
}
