import type { FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/account/session.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { proofNeeded } from '#server/account/second-factor/check-factor.ts'
import type { FactorSource } from '#server/account/second-factor/factor-source.ts'
import { isXsrfPair } from '#server/account/session/xsrf-token.ts'
import { asOwner, asTenant } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import type { HttpSettings } from './http-settings.ts'
import type { Metrics } from './operate/metrics.ts'
import { logRequest } from './operate/request-log.ts'
import { securityHeaders } from './security-headers.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
/** Cookies that would log a request in by themselves. The bearer is what we use; this is the one name reserved for a refresh cookie (C1). */
const CREDENTIAL_COOKIES = ['__Host-rt']

/**
 * Refuses state changes that another site started (R38): by Fetch Metadata, else by Origin, and, where a cookie is the credential, by the XSRF token. A page
 * cannot set Sec-Fetch-Site, so `same-origin` is believed whatever Host a proxy sends on. Throws ProblemError `foreign_origin` or `forbidden`.
 */
function refuseCrossSite(request: FastifyRequest, settings: Pick<HttpSettings, 'publicUrl' | 'authSecrets'>): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin(request, settings)
  const { origin } = request.headers
  if (site !== 'same-origin' && origin !== undefined && !isOwnOrigin(origin, request.host, settings.publicUrl))
    throw foreignOrigin(request, settings)
  const header = request.headers['x-xsrf-token']
  if (isLoggedInByCookie(request) && !isXsrfPair(request.cookies['XSRF-TOKEN'], String(header), settings.authSecrets)) {
    throw new ProblemError('forbidden')
  }
}

/** Logs what an operator needs to tell an attack from a proxy that sends its own name as Host. */
function foreignOrigin(request: FastifyRequest, { publicUrl }: Pick<HttpSettings, 'publicUrl'>): ProblemError {
  const { origin, 'sec-fetch-site': site } = request.headers
  const seen = { origin: shownHost(origin), host: shownHost(request.host), site, publicUrl }
  request.log.warn(
    seen,
    'refused a change from another origin: set PUBLIC_URL and let the proxy send the Host of the request',
  )
  return new ProblemError('foreign_origin')
}

const MAX_LOGGED_HOST = 100
const shownHost = (text: string | undefined) => text?.slice(0, MAX_LOGGED_HOST).replace(/[^\w.:/[\]-]/g, '?')

/** Behind a proxy the Host header may be the inner one, so the configured address counts as ours too. */
function isOwnOrigin(origin: string, host: string, publicUrl: string | undefined): boolean {
  const url = URL.parse(origin)
  if (!url) return false
  return url.host === host || (publicUrl !== undefined && url.origin === new URL(publicUrl).origin)
}

const isLoggedInByCookie = (request: FastifyRequest) =>
  request.headers.authorization === undefined && CREDENTIAL_COOKIES.some((name) => request.cookies[name] !== undefined)

/** On every answer: security headers, its number, and for the API that nobody stores it. Cross-site changes end here. */
export function guardRequests(app: RouteApp, settings: HttpSettings): void {
  const headers = securityHeaders(settings)
  // The request starts in the scope of the owner, whatever the scope of its caller, until its session is known.
  app.addHook('onRequest', (_request, _reply, done) => asOwner(done))
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
 * Routes of this scope answer 401 without a session unless they say `public`: a forgotten check cannot open one. They answer 403 where the organisation's flags, the user's role or the
 * demo close them, and to operators and API keys unless the route names these (R61, decision 0112). Last, routes that want it ask for a fresh proof of who holds the session (R64). All of
 * this happens before the body is read, so a refusal says nothing of what the route would have taken (R23).
 */
export function requireSession(api: RouteApp, context: RouteContext, factors: FactorSource): void {
  api.addHook('preParsing', async (request) => {
    const { public: isPublic, feature, role, demo, operator, key, fresh, setUp } = request.routeOptions.config
    if (isPublic) return
    const actor = await context.actorOf(request)
    if (actor.role === OPERATOR_ROLE && role !== OPERATOR_ROLE && !operator) throw new ProblemError('forbidden')
    if (actor.scopes && (key === undefined || !actor.scopes.includes(key))) throw new ProblemError('forbidden')
    const needed = feature === undefined ? [] : [feature].flat()
    if (needed.length > 0 && !needed.some((one) => actor.features.includes(one))) throw new ProblemError('forbidden')
    if (demo && actor.isDemo) throw new ProblemError(demo)
    if (role && (actor.role !== role || actor.isDemo)) throw new ProblemError('forbidden')
    if (actor.isSetUpDue && !setUp) throw new ProblemError('second_factor_due')
    if (fresh && !actor.isProved) throw await proofNeeded({ db: context.db, ...factors() }, actor.userId)
  })
  // From here on, validation and handler included, the database is asked as the actor: no route can forget it (R25, decision 0025). Not in an async
  // hook: what that one enters ends with it.
  api.addHook('preValidation', (request, _reply, done) => {
    const { public: isPublic, role } = request.routeOptions.config
    // Operators look after all organisations, and the guard has let in nobody else.
    if (isPublic || role === OPERATOR_ROLE) done()
    else context.actorOf(request).then((actor) => asTenant(actor, done), done)
  })
}
