import type { FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/session.ts'
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

/** Routes of this scope answer 401 without a session unless they say `public`; a forgotten check cannot open one. Before the body is read. */
export function requireSession(api: RouteApp, context: RouteContext): void {
  api.addHook('preParsing', async (request) => {
    if (!request.routeOptions.config.public) await context.actorOf(request)
  })
}
