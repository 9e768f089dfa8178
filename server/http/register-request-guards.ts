import type { FastifyRequest } from 'fastify'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { createIdentityProofProblem } from '#server/account/second-factor/check-second-factor.ts'
import type { SecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import { isValidXsrfPair } from '#server/account/session/xsrf-token.ts'
import { runAsTenant, runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { API_KEY_ROLE } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { HttpSettings } from './http-settings.ts'
import type { ServerMetrics } from './operate/create-metrics.ts'
import { logRequest } from './operate/request-log.ts'
import { createSecurityHeaders } from './security-headers.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
/**
 * Cookies that would authenticate a request without a header. We use bearer tokens; this name is reserved for a refresh
 * cookie (C1).
 */
const CREDENTIAL_COOKIES = ['__Host-rt']

/**
 * Refuses state changes started by another site (R38): by Fetch Metadata, otherwise by Origin, and also by the XSRF
 * token if the credential is a cookie. A page cannot set Sec-Fetch-Site, so `same-origin` is trusted whatever Host a
 * proxy forwards. Throws ProblemError `foreign_origin` or `forbidden`.
 */
function refuseCrossSite(request: FastifyRequest, settings: Pick<HttpSettings, 'publicUrl' | 'authSecrets'>): void {
  if (SAFE_METHODS.includes(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreignOrigin(request, settings)
  const { origin } = request.headers
  if (site !== 'same-origin' && origin !== undefined && !isOwnOrigin(origin, request.host, settings.publicUrl))
    throw foreignOrigin(request, settings)
  const header = request.headers['x-xsrf-token']
  if (
    isLoggedInByCookie(request) &&
    !isValidXsrfPair(request.cookies['XSRF-TOKEN'], String(header), settings.authSecrets)
  ) {
    throw new ProblemError('forbidden')
  }
}

/**
 * Creates the refusal. It logs enough for an operator to distinguish an attack from a proxy that sends its own name as
 * Host.
 */
function foreignOrigin(request: FastifyRequest, { publicUrl }: Pick<HttpSettings, 'publicUrl'>): ProblemError {
  const { origin, 'sec-fetch-site': site } = request.headers
  const details = { origin: shownHost(origin), host: shownHost(request.host), site, publicUrl }
  request.log.warn(
    details,
    'change from another origin refused: set PUBLIC_URL and make the proxy forward the Host header of the request',
  )
  return new ProblemError('foreign_origin')
}

const MAX_LOGGED_HOST = 100
const shownHost = (text: string | undefined) => text?.slice(0, MAX_LOGGED_HOST).replace(/[^\w.:/[\]-]/g, '?')

/**
 * True if the origin is ours. Behind a proxy the Host header may be the internal one, so the configured URL also counts
 * as ours.
 */
function isOwnOrigin(origin: string, host: string, publicUrl: string | undefined): boolean {
  const url = URL.parse(origin)
  if (!url) return false
  return url.host === host || (publicUrl !== undefined && url.origin === new URL(publicUrl).origin)
}

const isLoggedInByCookie = (request: FastifyRequest) =>
  request.headers.authorization === undefined && CREDENTIAL_COOKIES.some((name) => request.cookies[name] !== undefined)

export function registerRequestGuards(app: RouteApp, settings: HttpSettings): void {
  const headers = createSecurityHeaders(settings)
  // Clear the tenant, whatever async context the request was started in; it is set once the session is resolved.
  app.addHook('onRequest', (_request, _reply, done) => runWithoutTenant(done))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    refuseCrossSite(request, settings)
  })
}

export function registerRequestLogging(
  app: RouteApp,
  metrics: ServerMetrics,
  claimsOf: (request: FastifyRequest) => Promise<AccessTokenClaims | undefined>,
): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request, reply)
    logRequest(request, reply, await claimsOf(request))
  })
}

/**
 * Requires a session on every route of this scope unless the route is marked `public`, so that a forgotten check cannot
 * expose one: 401 without a session. Answers 403 where organisation flags, the user's role or the demo forbid the
 * route, and for operators and API keys unless the route allows them (R61, decision 0112). Routes marked `fresh` also
 * require a recent proof of identity (R64). All of this happens before the body is read, so a refusal reveals nothing
 * about what the route accepts (R23).
 */
export function requireSession(api: RouteApp, context: RouteContext, factors: SecondFactorSource): void {
  api.addHook('preParsing', async (request) => {
    const { public: isPublic, feature, role, demo, operator, key, fresh, setUp } = request.routeOptions.config
    if (isPublic) return
    const actor = await context.actorOf(request)
    if (actor.role === OPERATOR_ROLE && role !== OPERATOR_ROLE && !operator) throw new ProblemError('forbidden')
    const isOpenToKey = role === API_KEY_ROLE || (key !== undefined && actor.scopes?.includes(key))
    if (actor.scopes && !isOpenToKey) throw new ProblemError('forbidden')
    const needed = feature === undefined ? [] : [feature].flat()
    if (needed.length > 0 && !needed.some((flag) => actor.features.includes(flag))) throw new ProblemError('forbidden')
    if (demo && actor.isDemo) throw new ProblemError(demo)
    if (role && (actor.role !== role || actor.isDemo)) throw new ProblemError('forbidden')
    if (actor.isSetUpDue && !setUp) throw new ProblemError('second_factor_due')
    if (fresh && !actor.isProved) throw await createIdentityProofProblem({ db: context.db, ...factors() }, actor.userId)
  })
  // Later queries run as the tenant (R25, decision 0025). Not async: a context entered in an async hook ends with it.
  api.addHook('preValidation', (request, _reply, done) => {
    const { public: isPublic, role } = request.routeOptions.config
    if (isPublic || role === OPERATOR_ROLE) done()
    else context.actorOf(request).then((actor) => runAsTenant(actor, done), done)
  })
}
