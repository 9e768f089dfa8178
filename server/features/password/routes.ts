import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { messageSchema, resetVerifyAnswerSchema } from '#contract/password.ts'
import { passwordChangeSchema, resetConfirmSchema, resetRequestSchema } from '#contract/password-form.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { changePassword } from './change.ts'
import { confirmReset, requestReset, verifyReset } from './reset.ts'

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
