import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  passkeyLoginSchema,
  passkeyOptionsRequestSchema,
  secondLoginStepRequestSchema,
  webauthnOptionsSchema,
} from '#contract/account/second-factor.ts'
import { type SessionTokens, sessionTokensSchema } from '#contract/account/session.ts'
import { buildPasskeyRequestOptions } from '#server/account/second-factor/passkeys.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { getDeviceToken, setDeviceCookie } from './devices.ts'
import {
  completeSecondLoginStep,
  findSecondLoginStepUser,
  type LoginContext,
  type LoginOrigin,
  type LoginOutcome,
  logInByPasskey,
} from './second-step.ts'
import { sendSessionResponse } from './send-session-response.ts'

export const getLoginOrigin = (request: FastifyRequest): LoginOrigin => ({
  address: request.ip,
  requestId: request.id,
  userAgent: request.headers['user-agent'],
  deviceToken: getDeviceToken(request),
})

export function sendLoginResponse(
  reply: FastifyReply,
  { session, deviceToken }: Extract<LoginOutcome, { session: unknown }>,
  secureCookies: boolean,
): SessionTokens {
  setDeviceCookie(reply, deviceToken, secureCookies)
  return sendSessionResponse(reply, session, secureCookies)
}

const tags = ['session']
const config = { public: true } as const

export function secondLoginStepRoutes(app: RouteApp, context: () => LoginContext, secureCookies: boolean): void {
  const respond = (reply: FastifyReply, outcome: LoginOutcome) => {
    if (!('session' in outcome)) throw new ProblemError('login_step_over')
    return sendLoginResponse(reply, outcome, secureCookies)
  }
  app.post(
    '/auth/login/second-step',
    {
      config,
      schema: {
        tags,
        summary: 'Complete a login with a code, a recovery code or a passkey',
        body: secondLoginStepRequestSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) =>
      respond(reply, await completeSecondLoginStep(context(), request.body, getLoginOrigin(request))),
  )
  app.post(
    '/auth/passkey/options',
    {
      config,
      schema: {
        tags,
        summary: 'Get the WebAuthn options for the second step of a login (with its token) or for a passkey login',
        body: passkeyOptionsRequestSchema,
        response: { 200: webauthnOptionsSchema },
      },
    },
    async (request) => {
      const { db, party, now } = context()
      if (!party) throw new ProblemError('bad_input', { text: 'ระบบนี้ใช้พาสคีย์ไม่ได้' })
      const { token } = request.body
      const userId = token === undefined ? null : await findSecondLoginStepUser({ db, now }, token)
      return { ...(await buildPasskeyRequestOptions({ db, party, now: now() }, userId)) }
    },
  )
  app.post(
    '/auth/passkey',
    {
      config,
      schema: {
        tags,
        summary: 'Log in with a passkey only',
        body: passkeyLoginSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) =>
      respond(reply, await logInByPasskey(context(), request.body.passkey, getLoginOrigin(request))),
  )
}
