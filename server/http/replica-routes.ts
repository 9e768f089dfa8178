import type { FastifyRequest } from 'fastify'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import type { DatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import {
  formatWalPosition,
  parseWalPosition,
  runReadOnly,
  withReplicaReads,
} from '#server/platform/engine/replica-reads.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { MARKET_READ_ROUTES, REPORT_READ_ROUTES } from './limit/costly-routes.ts'

/**
 * Cookie with the primary's log position at this browser's last response from it; later reads must be at least as new.
 */
export const WAL_POSITION_COOKIE = 'tamngan-position'
/** Replicas that lag more than two seconds are not used, so an older position has no effect. */
const COOKIE_MAX_AGE_SECONDS = 60

type Route = { readonly method: string | readonly string[]; readonly url: string }

const positionOf = ({ cookies }: FastifyRequest) => parseWalPosition(cookies[WAL_POSITION_COOKIE] ?? '') ?? 0n

/**
 * True for read-only routes whose responses are independent of each other. Accounts, members, sessions and changes
 * always use the primary.
 */
export const isReplicaReadRoute = ({ method, url }: Route): boolean => {
  const route = `${[method].flat()[0]} ${url}`
  return REPORT_READ_ROUTES.test(route) || MARKET_READ_ROUTES.test(route)
}

/**
 * Lets replicas answer GET and HEAD requests while there is no primary. Register before any hook that queries the
 * database.
 */
export function allowReplicaReadsWhenPrimaryMissing(api: RouteApp): void {
  api.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') runReadOnly(positionOf(request), done)
    else done()
  })
}

type ReplicaParts = {
  readonly replicas: DatabaseReplicas
  readonly claimsOf: (request: FastifyRequest) => Promise<AccessTokenClaims | undefined>
  readonly secureCookies: boolean
}

/**
 * Serves read-only routes of this scope from replicas. Every other response, even to a read, carries the primary's log
 * position, because a screen that is notified of changes reads the changed data next. Register before the routes.
 */
export function routeReadsToReplicas(api: RouteApp, { replicas, claimsOf, secureCookies }: ReplicaParts): void {
  api.addHook('onRoute', (route) => {
    if (!isReplicaReadRoute(route)) return
    const handler = route.handler
    route.handler = async function onReplica(request, reply) {
      const claims = await claimsOf(request)
      return await withReplicaReads({ atLeast: positionOf(request), clientId: claims?.sub ?? '' }, () =>
        handler.call(this, request, reply),
      )
    }
  })
  api.addHook('onSend', async (request, reply) => {
    const { method, url = '' } = request.routeOptions
    if (isReplicaReadRoute({ method: method ?? [], url }) || !(await claimsOf(request))) return
    const position = await replicas.position().catch(() => undefined)
    if (position === undefined) return
    reply.setCookie(WAL_POSITION_COOKIE, formatWalPosition(position), {
      path: '/api',
      httpOnly: true,
      sameSite: 'strict',
      secure: secureCookies,
      maxAge: COOKIE_MAX_AGE_SECONDS,
    })
  })
}
