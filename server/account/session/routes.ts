import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { secondStepSchema } from '#contract/account/second-factor.ts'
import {
  autoLoginRequestSchema,
  loginRequestSchema,
  logoutRequestSchema,
  refreshRequestSchema,
  tokensSchema,
} from '#contract/account/session.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { FactorSource } from '#server/account/second-factor/factor-source.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { sessionCopiedMail } from '#server/platform/mail/notice-mails.ts'
import { originOf } from '#server/platform/route/origin.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { answerSession, xsrfCookie } from './answer-session.ts'
import { login } from './login.ts'
import { findDemoUser, findEmail } from './queries.ts'
import { copyUserForVisitor, isDemoFull, removeEndedVisitors } from './queries-visitor.ts'
import { answerLogin, loginOrigin, secondStepRoutes } from './routes-second-step.ts'
import type { LoginContext, Origin } from './second-step.ts'
import type { OpenedSession, Sessions } from './sessions.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

/**
 * New tokens for a refresh token. Throws ProblemError `session_invalid` when it opens nothing any more; one that was exchanged
 * before is somebody's copy, so the session ends, the trail says so and the user gets a mail (R9).
 */
async function refreshTokens(
  { db, sessions, now, mails }: Pick<RouteContext, 'db' | 'now' | 'mails'> & { readonly sessions: Sessions },
  refresh: string,
  origin: Origin,
): Promise<OpenedSession> {
  const outcome = await sessions.refresh(refresh)
  if (outcome.kind === 'exchanged') return outcome.session
  if (outcome.kind === 'reused') {
    const { userId, organisationId } = outcome.ended
    const at = now()
    await recordAuditEvent(db, { kind: 'refresh_reuse', at, userId, organisationId, ...origin })
    const to = await findEmail(db, userId)
    const content = sessionCopiedMail({ at, resetUrl: mails.link('/reset-password') })
    if (to !== undefined) await mails.queue(db, { kind: 'refresh_reuse', to, content, userId, organisationId }, at)
  }
  throw new ProblemError('session_invalid')
}

/**
 * Enters the demo organisation, as a user that exists for this visit only: what one visitor marks no other sees (C6). The key stands in
 * public links, so it can open nothing else (R22). Visitors who have left are cleared away in passing.
 * Throws ProblemError `refkey_unknown` for any other key, and when there is no demo; `unavailable` when it is full.
 */
async function enterDemo(
  { db, sessions, now }: { readonly db: Db; readonly sessions: Sessions; now(): Date },
  refkey: string,
  origin: Origin,
): Promise<OpenedSession> {
  const model = refkey === DEMO_ORGANISATION_CODE ? await findDemoUser(db) : undefined
  if (!model) throw new ProblemError('refkey_unknown')
  await removeEndedVisitors(db, now())
  if (await isDemoFull(db)) throw new ProblemError('unavailable')
  const userId = await db.transaction((tx) => copyUserForVisitor(tx, model.userId, now()))
  const visitor = { userId, organisationId: model.organisationId }
  const session = await sessions.open({ ...visitor, isDemo: true })
  await recordAuditEvent(db, { kind: 'auto_login', at: now(), ...visitor, ...origin })
  return session
}

/** Ends the session of the refresh token and of the bearer, if any is still alive. Never refuses (R11). */
async function logout(
  { db, sessions, now }: { readonly db: Db; readonly sessions: Sessions; now(): Date },
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
    // The session has ended for this process; its end or the row of the trail could not be written, as with a full disk.
    request.log.error({ err: error }, 'logout not stored')
  }
}

type SessionOptions = {
  readonly sessions: Sessions
  readonly factors: FactorSource
  /** Whether people reach us by https: then the cookie never travels without. */
  readonly secureCookies: boolean
}

/** POST /auth/login/, /auth/auto-login/, /auth/logout/ (specification section 7), and /auth/token/refresh/ beside them. */
export function sessionRoutes(
  app: RouteApp,
  context: RouteContext,
  { sessions, factors, secureCookies }: SessionOptions,
): void {
  const loginContext = (): LoginContext => ({ ...context, ...factors(), sessions })
  secondStepRoutes(app, loginContext, secureCookies)
  const open = (reply: FastifyReply, session: OpenedSession) => answerSession(reply, session, secureCookies)

  app.post(
    '/auth/login',
    {
      config: { public: true },
      schema: {
        tags: ['session'],
        summary: 'Log in with e-mail and password; an account with a second factor is asked for it',
        body: loginRequestSchema,
        response: { 200: z.union([tokensSchema, secondStepSchema]) },
      },
    },
    async (request, reply) => {
      const outcome = await login(loginContext(), request.body, loginOrigin(request))
      if ('secondStep' in outcome) return { second_step: outcome.secondStep }
      return answerLogin(reply, outcome, secureCookies)
    },
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
      open(reply, await enterDemo({ ...context, sessions }, request.body.refkey, originOf(request))),
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
