import rateLimit from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/session.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { DEFAULT_LIMITS, type RateLimits } from './http-settings.ts'

const MINUTE_MS = 60_000
const CHECKS = /^POST .*\/auth\/check-(email|phone|organization)-exist$/

/**
 * Counts requests by user, or by address before login, in this process (R42). Must be registered in the scope of the API
 * before its routes. Throws ProblemError `too_many_requests`.
 */
export async function limitRates(
  api: RouteApp,
  limits: Partial<RateLimits> | undefined,
  claimsOf: (request: FastifyRequest) => Promise<AccessClaims | undefined>,
): Promise<void> {
  const { perUser, report, patch, pulse, login, autoLogin, check, checkHourly, account } = {
    ...DEFAULT_LIMITS,
    ...limits,
  }
  const addressOf = (request: FastifyRequest) => `address ${request.ip}`
  const ownLimits: readonly (readonly [route: RegExp, max: number, byAddress: boolean])[] = [
    [/^POST .*\/auth\/login$/, login, true],
    [/^POST .*\/auth\/auto-login$/, autoLogin, true],
    [
      /^(GET|HEAD) .*\/projects(\/(facets|ids|queue|saved-filter-counts|:id(\/(why|similar-prices|linked))?))?$/,
      report,
      false,
    ],
    // Up to half a second of work each.
    [/^POST .*\/organisations\/me\/keywords\/preview$/, report, false],
    [/^POST .*\/organisations\/me\/hidden\/(un)?rescue$/, patch, false],
    [/^PATCH .*\/users\/me$/, patch, false],
    [/^(GET|HEAD) .*\/users\/me\/pulse$/, pulse, false],
    [/^(POST|PATCH|DELETE) .*\/organisations\/me(\/keywords\/(remove|restore|expand|:id\/terms))?$/, patch, false],
    [CHECKS, check, true],
    [
      /^POST .*\/(auth\/(register-step-\w+|create-register-otp|check-email-exist\/forgot-password)|password\/.*|mail-links(\/look)?)$/,
      account,
      true,
    ],
  ]
  api.addHook('onRoute', (route) => {
    if (CHECKS.test(`${[route.method].flat()[0]} ${route.url}`)) {
      route.onRequest = [route.onRequest ?? [], async (request: FastifyRequest) => hourly(request)].flat()
    }
    const own = ownLimits.find(([named]) => named.test(`${[route.method].flat()[0]} ${route.url}`))
    if (!own) return
    const [, max, byAddress] = own
    route.config = {
      ...route.config,
      rateLimit: { max, timeWindow: MINUTE_MS, ...(byAddress ? { keyGenerator: addressOf } : {}) },
    }
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
  // The plugin gives a route one limit only; this is the second one of the checks.
  const countHourly = api.createRateLimit({
    max: checkHourly,
    timeWindow: 60 * MINUTE_MS,
    keyGenerator: (request) => `${addressOf(request)} ${request.routeOptions.url}`,
  })
  async function hourly(request: FastifyRequest): Promise<void> {
    const counted = await countHourly(request)
    if (counted.isAllowed || !counted.isExceeded) return
    throw new ProblemError('too_many_requests', { retryAfterSeconds: Math.max(1, counted.ttlInSeconds) })
  }
}
