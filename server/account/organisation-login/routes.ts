import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  organisationJoinAcceptanceSchema,
  organisationJoinOfferSchema,
  organisationLoginCallbackSchema,
  organisationLoginRequestSchema,
  organisationLoginUrlSchema,
} from '#contract/account/organisation-login.ts'
import { secondLoginStepSchema } from '#contract/account/second-factor.ts'
import { sessionTokensSchema } from '#contract/account/session.ts'
import { getLoginOrigin, sendLoginResponse } from '#server/account/session/routes-second-step.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { OrganisationLoginContext } from './begin-organisation-login.ts'
import { beginOrganisationLogin } from './begin-organisation-login.ts'
import { finishOrganisationLogin, joinByOrganisationLogin } from './finish-organisation-login.ts'
import { LOGIN_ATTEMPT_LIFETIME_MS } from './login-attempt-queries.ts'

/** Identifies the browser between the two halves of a login; httpOnly and same-site. */
const BROWSER_COOKIE = 'tamngan-organisation-login'

function browserOf(request: FastifyRequest): string | undefined {
  const token = request.cookies[BROWSER_COOKIE]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}
const cookieOptions = (secure: boolean) =>
  ({ path: '/api/v2/auth/organisation', sameSite: 'strict', secure, httpOnly: true }) as const

const tags = ['session']
const config = { public: true } as const

export function organisationLoginRoutes(
  app: RouteApp,
  context: () => OrganisationLoginContext,
  secureCookies: boolean,
): void {
  const clearBrowserCookie = (reply: FastifyReply) => reply.clearCookie(BROWSER_COOKIE, cookieOptions(secureCookies))
  app.post(
    '/auth/organisation',
    {
      config,
      schema: {
        tags,
        summary:
          'Start a login with an organisation account. Returns the URL of the login provider for the domain of an e-mail address',
        body: organisationLoginRequestSchema,
        response: { 200: organisationLoginUrlSchema },
      },
    },
    async (request, reply) => {
      const browser = browserOf(request) ?? randomBytes(32).toString('base64url')
      const url = await beginOrganisationLogin(context(), request.body.email, browser)
      reply.setCookie(BROWSER_COOKIE, browser, {
        ...cookieOptions(secureCookies),
        maxAge: LOGIN_ATTEMPT_LIFETIME_MS / 1000,
      })
      return { url }
    },
  )
  app.post(
    '/auth/organisation/finish',
    {
      config,
      schema: {
        tags,
        summary:
          'Finish an organisation login with the response of the login provider. Returns a session, the second step of this service, or an invitation',
        body: organisationLoginCallbackSchema,
        response: { 200: z.union([sessionTokensSchema, secondLoginStepSchema, organisationJoinOfferSchema]) },
      },
    },
    async (request, reply) => {
      const outcome = await finishOrganisationLogin(
        context(),
        request.body,
        browserOf(request),
        getLoginOrigin(request),
      )
      if ('join' in outcome) return outcome
      clearBrowserCookie(reply)
      if ('secondStep' in outcome) return { second_step: outcome.secondStep }
      return sendLoginResponse(reply, outcome, secureCookies)
    },
  )
  app.post(
    '/auth/organisation/join',
    {
      config,
      schema: {
        tags,
        summary: 'Accept an invitation after an organisation login: create the account and log in',
        body: organisationJoinAcceptanceSchema,
        response: { 200: sessionTokensSchema },
      },
    },
    async (request, reply) => {
      const outcome = await joinByOrganisationLogin(
        context(),
        request.body,
        browserOf(request),
        getLoginOrigin(request),
      )
      if (!('session' in outcome)) throw new ProblemError('organisation_login_over')
      clearBrowserCookie(reply)
      return sendLoginResponse(reply, outcome, secureCookies)
    },
  )
}
