import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { messageSchema, resetVerifyAnswerSchema } from '#contract/account/password.ts'
import {
  type PasswordChange,
  passwordChangeSchema,
  resetConfirmSchema,
  resetRequestSchema,
} from '#contract/account/password-form.ts'
import { asOwner } from '#server/engine/tenant.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import type { Actor } from '#server/route/actor.ts'
import { hashPassword, passwordFits } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { reserveUse, type UseLimit } from '#server/route/use-counts.ts'
import { setNewPassword } from './new-password.ts'
import { findPasswordOf } from './queries.ts'
import { refuseGuessable } from './refuse-guessable.ts'
import { confirmReset, type Origin, requestReset, verifyReset } from './reset.ts'

/** A stolen session must not become a way to try passwords. Right ones count too: nobody changes theirs so often. */
const PER_USER: UseLimit = { action: 'password-change', most: 5, windowSeconds: 15 * 60, gapSeconds: 0 }

/**
 * Changes the actor's password; every session but this one ends (R12). Throws ProblemError at `current_password` or `new_password`,
 * `too_many_requests` after five tries in a quarter of an hour.
 */
async function changePassword(
  { db, now, mails }: RouteContext,
  actor: Actor,
  body: PasswordChange,
  origin: Origin,
): Promise<void> {
  const at = now()
  // What is counted belongs to the server: no tenant may forgive itself.
  const wait = await asOwner(() => reserveUse(db, PER_USER, String(actor.userId), at))
  if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
  const owner = await findPasswordOf(db, actor.userId)
  if (!owner) throw new ProblemError('session_invalid')
  if (!(await passwordFits(body.current_password, owner.passwordHash))) {
    const { userId, organisationId } = owner
    await recordAuditEvent(db, { kind: 'password_change_failed', at, userId, organisationId, ...origin })
    throw fieldProblem('current_password', 'รหัสผ่านปัจจุบันไม่ถูกต้อง')
  }
  if (body.new_password === body.current_password) throw fieldProblem('new_password', 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านปัจจุบัน')
  refuseGuessable(body.new_password, owner)
  const passwordHash = await hashPassword(body.new_password)
  await db.transaction((tx) =>
    setNewPassword(tx, mails, {
      userId: owner.userId,
      passwordHash,
      at: now(),
      keepSession: actor.sessionId,
      kind: 'password_changed',
      ...origin,
    }),
  )
}

const fieldProblem = (field: string, text: string) =>
  new ProblemError('bad_input', { text, fields: { [field]: [text] } })

const tags = ['password']
/** Any text: what is no token of ours is unknown. */
const params = z.object({ token: z.string() })
const originOf = (request: FastifyRequest) => ({ address: request.ip, requestId: request.id })
/** The same for everybody (R20). */
const MAIL_COMES = { message: 'ถ้าอีเมลนี้มีบัญชีอยู่ เราส่งลิงก์สำหรับตั้งรหัสผ่านใหม่ไปแล้ว ลิงก์ใช้ได้ 60 นาที' }

/** /auth/check-email-exist/forgot-password/, /password/reset/… (specification section 7), and /password/change/ beside them. */
export function passwordRoutes(app: RouteApp, context: RouteContext): void {
  app.post(
    '/auth/check-email-exist/forgot-password',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Whether a reset may be asked for: always, so that nobody learns who has an account',
        body: resetRequestSchema,
        response: { 200: messageSchema },
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
        summary: 'Mail a link for a new password, if the address has an account; the answer is the same if not',
        body: resetRequestSchema,
        response: { 200: messageSchema },
      },
    },
    async (request) => {
      await requestReset(context, request.body.email, originOf(request))
      return MAIL_COMES
    },
  )
  app.get(
    '/password/reset/verify/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Whether a link still works; changes nothing',
        params,
        response: { 200: resetVerifyAnswerSchema },
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
        summary: 'Set a new password by a link; ends every session and opens none',
        params,
        body: resetConfirmSchema,
        response: { 200: messageSchema },
      },
    },
    async (request) => {
      await confirmReset(context, request.params.token, request.body, originOf(request))
      return { message: 'ตั้งรหัสผ่านใหม่แล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่ได้เลย' }
    },
  )
  app.post(
    '/password/change',
    {
      config: { demo: 'forbidden' },
      schema: {
        tags,
        summary: 'Change the password of the signed-in user; ends every other session',
        body: passwordChangeSchema,
        response: { 200: messageSchema },
      },
    },
    async (request) => {
      await changePassword(context, await context.actorOf(request), request.body, originOf(request))
      return { message: 'เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่นถูกออกจากระบบแล้ว' }
    },
  )
}
