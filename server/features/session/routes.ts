import type { FastifyReply } from 'fastify'
import { z } from 'zod/mini'
import {
  autoLoginRequestSchema,
  loginRequestSchema,
  logoutRequestSchema,
  refreshRequestSchema,
  tokensSchema,
} from '#contract/session.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { answerSession, xsrfCookie } from './answer-session.ts'
import { enterDemo } from './auto-login.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { refreshTokens } from './refresh-tokens.ts'
import type { OpenedSession, Sessions } from './sessions.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

type SessionOptions = {
  readonly sessions: Sessions
  /** Whether people reach us by https: then the cookie never travels without. */
  readonly secureCookies: boolean
}

/** POST /auth/login/, /auth/auto-login/, /auth/logout/ (specification section 7), and /auth/token/refresh/ beside them. */
export function sessionRoutes(app: RouteApp, context: RouteContext, { sessions, secureCookies }: SessionOptions): void {
  const open = (reply: FastifyReply, session: OpenedSession) => answerSession(reply, session, secureCookies)

  app.post(
    '/auth/login',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Log in with e-mail and password',
        body: loginRequestSchema,
        response: { 200: tokensSchema },
      },
    },
    async (request, reply) =>
      open(
        reply,
        await login({ ...context, sessions }, request.body, {
          address: request.ip,
          requestId: request.id,
          userAgent: request.headers['user-agent'],
        }),
      ),
  )

  app.post(
    '/auth/auto-login',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Enter the demo organisation',
        body: autoLoginRequestSchema,
        response: { 200: tokensSchema },
      },
    },
    async (request, reply) =>
      open(
        reply,
        await enterDemo({ ...context, sessions }, request.body.refkey, { address: request.ip, requestId: request.id }),
      ),
  )

  app.post(
    '/auth/token/refresh',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Exchange the refresh token for new tokens; each works once, and a second use ends the session',
        body: refreshRequestSchema,
        response: { 200: tokensSchema },
      },
    },
    async (request, reply) =>
      open(
        reply,
        await refreshTokens({ ...context, sessions }, request.body.refresh, {
          address: request.ip,
          requestId: request.id,
        }),
      ),
  )

  app.post(
    '/auth/logout',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'End the session of the refresh token and of the bearer; repeating it does no harm',
        body: z.nullish(logoutRequestSchema),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await logout({ ...context, sessions }, request, request.body?.refresh)
      return reply.clearCookie(XSRF_COOKIE, xsrfCookie(secureCookies)).code(204).send()
    },
  )
}
