import type { FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/session.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { HttpSettings } from './http-settings.ts'
import type { Metrics } from './metrics.ts'
import { logRequest } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'

/** On every answer: security headers, its number, and for the API that nobody stores it. Cross-site changes end here. */
export function guardRequests(app: RouteApp, settings: HttpSettings): void {
  const headers = securityHeaders(settings)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    refuseCrossSite(request, settings)
  })
}

/** Counts and logs every answer. */
export function watchRequests(
  app: RouteApp,
  metrics: Metrics,
  claimsOf: (request: FastifyRequest) => Promise<AccessClaims | undefined>,
): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply)
    logRequest(request, reply, await claimsOf(request))
  })
}

/**
 * Routes of this scope answer 401 without a session unless they say `public`, so that a forgotten check cannot open one,
 * and 403 where the organisation's flags do not open their feature. Before the body is read.
 */
export function requireSession(api: RouteApp, context: RouteContext): void {
  api.addHook('preParsing', async (request) => {
    const { public: isPublic, feature } = request.routeOptions.config
    if (isPublic) return
    const { features } = await context.actorOf(request)
    const needed = feature === undefined ? [] : [feature].flat()
    if (needed.length > 0 && !needed.some((one) => features.includes(one))) throw new ProblemError('forbidden')
  })
}
