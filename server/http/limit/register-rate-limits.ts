import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { consumeActionRateLimit } from '#server/platform/route/use-counts.ts'
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../http-settings.ts'
import { isQueuedRoute, REPORT_READ_ROUTES } from './costly-routes.ts'

const MINUTE_MS = 60_000
const COSTLY_WINDOW_MS = 10_000
/** Refusals per organisation or IP address and minute that are answered immediately; further ones are delayed. */
const QUICK_REFUSALS = 30
/**
 * Delay of each further refusal, which limits a persistent connection to one request per three seconds of the event
 * loop. With immediate answers, 200 connections that never wait would keep the event loop busy with refusals alone.
 */
const SLOW_REFUSAL_MS = 3_000
const MAX_USES = 2_000_000_000
const CHECKS = /^POST .*\/auth\/check-(email|phone|organization)-exist$/

/**
 * Counts requests by user and organisation, or by IP address before login, in this process (R42) and before any
 * database query. Where several servers may share the database (PostgreSQL), routes that allow guessing or send emails
 * are also counted there (decision 0136). Register in the API scope before its routes. Throws ProblemError
 * `too_many_requests`.
 */
export async function registerRateLimits(
  api: RouteApp,
  { db, now }: { readonly db: Db; now(): Date },
  limits: Partial<RateLimits> | undefined,
  claimsOf: (request: FastifyRequest) => Promise<AccessTokenClaims | undefined>,
): Promise<void> {
  const mergedLimits: RateLimits = { ...DEFAULT_RATE_LIMITS, ...limits }
  const { perUser, report, patch, changePoll, shortLinks, login, autoLogin, check, checkHourly, account, lineWebhook } =
    mergedLimits
  const addressOf = (request: FastifyRequest) => `address ${request.ip}`
  /**
   * Limits per route. `user`: per user; `address`: per IP address in this process; `everywhere`: per IP address, in
   * this process and across all processes.
   */
  const routeLimits: readonly (readonly [route: RegExp, max: number, by: 'user' | 'address' | 'everywhere'])[] = [
    [
      /^POST .*\/auth\/(login(\/second-step)?|passkey(\/options)?|organisation(\/(finish|join))?)$/,
      login,
      'everywhere',
    ],
    [/^POST .*\/auth\/auto-login$/, autoLogin, 'everywhere'],
    [REPORT_READ_ROUTES, report, 'user'],
    // Each preview takes up to half a second of work.
    [/^POST .*\/organisations\/me\/keywords\/preview$/, report, 'user'],
    [/^POST .*\/organisations\/me\/hidden\/(un)?rescue$/, patch, 'user'],
    [/^PATCH .*\/users\/me(\/(follows|questions))?$/, patch, 'user'],
    [/^PATCH .*\/pursuits\/(settings|:id)$/, patch, 'user'],
    [/^(POST|GET|HEAD) .*\/short-links(\/:code)?$/, shortLinks, 'user'],
    [/^(GET|HEAD) .*\/users\/me\/pulse$/, changePoll, 'user'],
    [/^(POST|PATCH|DELETE) .*\/organisations\/me(\/keywords\/(remove|restore|expand|:id\/terms))?$/, patch, 'user'],
    [/^POST .*\/line\/webhook$/, lineWebhook, 'address'],
    [CHECKS, check, 'everywhere'],
    // Refused reports do no harm: browsers ignore the response, and batch a minute of reports per request.
    [/^POST .*\/policy-reports$/, report, 'address'],
    [
      /^POST \/(?:[^/]+\/){0,2}(auth\/(register-step-\w+|create-register-otp|request-to-join|check-email-exist\/forgot-password)|password\/.*|auth\/not-me\/:token|email-changes\/:token\/(confirm|stop)|mail-links(\/look)?)$/,
      account,
      'everywhere',
    ],
  ]
  api.addHook('onRoute', (route) => {
    if (CHECKS.test(`${[route.method].flat()[0]} ${route.url}`)) {
      route.onRequest = [route.onRequest ?? [], async (request: FastifyRequest) => hourly(request)].flat()
    }
    const routeLimit = routeLimits.find(([pattern]) => pattern.test(`${[route.method].flat()[0]} ${route.url}`))
    if (!routeLimit) return
    const [, max, by] = routeLimit
    route.config = {
      ...route.config,
      rateLimit: { max, timeWindow: MINUTE_MS, ...(by === 'user' ? {} : { keyGenerator: addressOf }) },
    }
    if (by !== 'everywhere') return
    const countForAll = (request: FastifyRequest) => countEverywhere(request, 'minute', max, MINUTE_MS)
    route.preParsing = [route.preParsing ?? [], countForAll].flat()
  })
  await api.register(rateLimit, {
    global: true,
    max: perUser,
    timeWindow: MINUTE_MS,
    keyGenerator: async (request) => {
      const claims = await claimsOf(request)
      return claims ? `user ${claims.sub}` : addressOf(request)
    },
    errorResponseBuilder: (_request, { ttl }) =>
      new ProblemError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(ttl / 1000)) }),
  })
  // The rate-limit plugin allows one limit per route, so this counter is the second limit of the uniqueness checks.
  const countHourly = api.createRateLimit({
    max: checkHourly,
    timeWindow: 60 * MINUTE_MS,
    keyGenerator: (request) => `${addressOf(request)} ${request.routeOptions.url}`,
  })
  async function hourly(request: FastifyRequest): Promise<void> {
    refuseExceeded(await countHourly(request))
    await countEverywhere(request, 'hour', checkHourly, 60 * MINUTE_MS)
  }
  async function countEverywhere(
    request: FastifyRequest,
    window: string,
    max: number,
    windowMs: number,
  ): Promise<void> {
    if (db.engine !== 'postgres') return
    const action = `${window} ${request.routeOptions.url?.replace(/\/$/, '')}`
    const limit = { action, maxUses: Math.min(MAX_USES, Math.max(1, Math.floor(max))), windowSeconds: windowMs / 1000 }
    const wait = await runWithoutTenant(() =>
      consumeActionRateLimit(db, { ...limit, gapSeconds: 0 }, addressOf(request), now()),
    )
    if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
  }
  limitOrganisations(api, mergedLimits, claimsOf)
  delayRefusals(api, async (request) => {
    const claims = await claimsOf(request)
    return claims ? `organisation ${claims.org}` : addressOf(request)
  })
}

type RateCount = Awaited<ReturnType<ReturnType<RouteApp['createRateLimit']>>>

function refuseExceeded(count: RateCount): void {
  if (count.isAllowed || !count.isExceeded) return
  throw new ProblemError('too_many_requests', { retryAfterSeconds: Math.max(1, count.ttlInSeconds) })
}

/**
 * Limits requests per organisation. Runs after the user limits, so that requests refused there do not count against
 * colleagues.
 */
function limitOrganisations(
  api: RouteApp,
  { perOrganisation, organisationCostly }: RateLimits,
  claimsOf: (request: FastifyRequest) => Promise<AccessTokenClaims | undefined>,
): void {
  const keyGenerator = async (request: FastifyRequest) => `organisation ${(await claimsOf(request))?.org}`
  const count = api.createRateLimit({ max: perOrganisation, timeWindow: MINUTE_MS, keyGenerator })
  const countCostly = api.createRateLimit({ max: organisationCostly, timeWindow: COSTLY_WINDOW_MS, keyGenerator })
  api.addHook('onRoute', (route) => {
    const isCostlyRoute = isQueuedRoute(route)
    const counting = async (request: FastifyRequest) => {
      if ((await claimsOf(request)) === undefined) return
      refuseExceeded(await count(request))
      if (isCostlyRoute) refuseExceeded(await countCostly(request))
    }
    route.onRequest = [route.onRequest ?? [], counting].flat()
  })
}

function delayRefusals(api: RouteApp, keyGenerator: (request: FastifyRequest) => Promise<string>): void {
  const countRefusals = api.createRateLimit({ max: QUICK_REFUSALS, timeWindow: MINUTE_MS, keyGenerator })
  api.addHook('onSend', async (request, reply) => {
    if (reply.statusCode !== 429) return
    const refusalCount = await countRefusals(request)
    if (!refusalCount.isAllowed && refusalCount.isExceeded) await sleep(SLOW_REFUSAL_MS, undefined, { ref: false })
  })
}
