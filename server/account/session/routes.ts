import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { secondLoginStepSchema } from '#contract/account/second-factor.ts'
import {
  autoLoginRequestSchema,
  loginRequestSchema,
  logoutRequestSchema,
  sessionRefreshRequestSchema,
  sessionTokensSchema,
} from '#contract/account/session.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { SecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderRefreshTokenReusedMail } from '#server/platform/mail/notice-mails.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { OpenedSession, SessionService } from './create-sessions.ts'
import { copyUserForDemoVisitor, isDemoVisitorLimitReached, removeEndedDemoVisitors } from './demo-visitor-queries.ts'
import { logInWithPassword } from './login.ts'
import { findDemoUser, findUserEmail } from './queries.ts'
import { getLoginOrigin, secondLoginStepRoutes, sendLoginResponse } from './routes-second-step.ts'
import type { LoginContext, LoginOrigin } from './second-step.ts'
import { createXsrfCookieOptions, sendSessionResponse } from './send-session-response.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

/**
 * Exchanges a refresh token. A reused token is a stolen copy, so the session ends, with an audit event and an email to
 * the user (R9).
 * @throws ProblemError `session_invalid` when the token is no longer valid.
 */
async function refreshTokens(
  { db, sessions, now, mails }: Pick<RouteContext, 'db' | 'now' | 'mails'> & { readonly sessions: SessionService },
  refresh: string,
  origin: LoginOrigin,
): Promise<OpenedSession> {
  const outcome = await sessions.refresh(refresh)
  if (outcome.kind === 'exchanged') return outcome.session
  if (outcome.kind === 'reused') {
    const { userId, organisationId } = outcome.ended
    const at = now()
    await recordAuditEvent(db, { kind: 'refresh_reuse', at, userId, organisationId, ...origin })
    const to = await findUserEmail(db, userId)
    const content = renderRefreshTokenReusedMail({ at, resetUrl: mails.link('/reset-password') })
    if (to !== undefined) await mails.queue(db, { kind: 'refresh_reuse', to, content, userId, organisationId }, at)
  }
  throw new ProblemError('session_invalid')
}

/**
 * Opens a demo session with a temporary user, so that visitors do not see each other's marks (C6). The key appears in
 * public links, so it grants nothing else (R22). Also removes visitors who have left.
 * @throws ProblemError `refkey_unknown` for any other key or without a demo; `unavailable` when it is full.
 */
async function enterDemo(
  { db, sessions, now }: { readonly db: Db; readonly sessions: SessionService; now(): Date },
  refkey: string,
  origin: LoginOrigin,
): Promise<OpenedSession> {
  const model = refkey === DEMO_ORGANISATION_CODE ? await findDemoUser(db) : undefined
  if (!model) throw new ProblemError('refkey_unknown')
  await removeEndedDemoVisitors(db, now())
  if (await isDemoVisitorLimitReached(db)) throw new ProblemError('unavailable')
  const userId = await db.transaction((tx) => copyUserForDemoVisitor(tx, model.userId, now()))
  const visitor = { userId, organisationId: model.organisationId }
  const session = await sessions.open({ ...visitor, isDemo: true })
  await recordAuditEvent(db, { kind: 'auto_login', at: now(), ...visitor, ...origin })
  return session
}

/** Ends the sessions of the refresh token and of the bearer token, if alive. Never fails (R11). */
async function logout(
  { db, sessions, now }: { readonly db: Db; readonly sessions: SessionService; now(): Date },
  request: Pick<FastifyRequest, 'headers' | 'id' | 'ip' | 'log'>,
  refresh: string | undefined,
): Promise<void> {
  try {
    for (const { userId, organisationId } of await sessions.close(request, refresh)) {
      await recordAuditEvent(db, {
        kind: 'logout',
        at: now(),
        userId,
        organisationId,
        address: request.ip,
        requestId: request.id,
      })
    }
  } catch (error) {
    // This process refuses the session, but the database could not store its end or the audit event.
    request.log.error({ err: error }, 'logout not stored')
  }
}

type SessionOptions = {
  readonly sessions: SessionService
  readonly factors: SecondFactorSource
  readonly secureCookies: boolean
}

export function sessionRoutes(
  app: RouteApp,
  context: RouteContext,
  { sessions, factors, secureCookies }: SessionOptions,
): void {
  const loginContext = (): LoginContext => ({ ...context, ...factors(), sessions })
  secondLoginStepRoutes(app, loginContext, secureCookies)
  const respond = (reply: FastifyReply, session: OpenedSession) => sendSessionResponse(reply, session, secureCookies)

  app.post(
    '/auth/login',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Log in with e-mail and password; accounts with a second factor continue with the second step',
        body: loginRequestSchema,
        response: { 200: z.union([sessionTokensSchema, secondLoginStepSchema]) },
      },
    },
    async (request, reply) => {
      const outcome = await logInWithPassword(loginContext(), request.body, getLoginOrigin(request))
      if ('secondStep' in outcome) return { second_step: outcome.secondStep }
      return sendLoginResponse(reply, outcome, secureCookies)
    },
  )

  app.post(
    '/auth/auto-login',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Log in to the demo organisation',
        body: autoLoginRequestSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) =>
      respond(reply, await enterDemo({ ...context, sessions }, request.body.refkey, getRequestOrigin(request))),
  )

  app.post(
    '/auth/token/refresh',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Exchange the refresh token for new tokens; each token works once, and reuse ends the session',
        body: sessionRefreshRequestSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) =>
      respond(
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
        summary: 'End the session of the refresh token and of the bearer token; idempotent',
        body: z.nullish(logoutRequestSchema),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await logout({ ...context, sessions }, request, request.body?.refresh)
      return reply.clearCookie(XSRF_COOKIE, createXsrfCookieOptions(secureCookies)).code(204).send()
    },
  )
}
