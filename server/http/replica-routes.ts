import type { FastifyRequest } from 'fastify'
import type { AccessClaims } from '#contract/account/session.ts'
import {
  lookingOnly,
  printLogPosition,
  readingFromReplicas,
  readLogPosition,
} from '#server/platform/engine/replica-reads.ts'
import type { Replicas } from '#server/platform/engine/replicas.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { MARKET_READS, REPORT_READS } from './limit/costly-routes.ts'

/** How far the primary was when this browser was last answered from it: what it reads next is at least as new. */
export const POSITION_COOKIE = 'tamngan-position'
/** Replicas further behind than two seconds answer nobody, so an older position says nothing. */
const KEPT_SECONDS = 60

type Route = { readonly method: string | readonly string[]; readonly url: string }

const positionOf = ({ cookies }: FastifyRequest) => readLogPosition(cookies[POSITION_COOKIE] ?? '') ?? 0n

/** What is looked at and of which each answer stands for itself. Accounts, members, sessions and changes are the primary's. */
export const isReadFromReplicas = ({ method, url }: Route): boolean => {
  const route = `${[method].flat()[0]} ${url}`
  return REPORT_READS.test(route) || MARKET_READS.test(route)
}

/** What a request that changes nothing asks may be answered without a primary. Must be registered before whatever asks for the first time. */
export function lookWithoutPrimary(api: RouteApp): void {
  api.addHook('onRequest', (request, _reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') lookingOnly(positionOf(request), done)
    else done()
  })
}

type ReplicaParts = {
  readonly replicas: Replicas
  readonly claimsOf: (request: FastifyRequest) => Promise<AccessClaims | undefined>
  readonly secureCookies: boolean
}

/**
 * Routes of this scope that only look read from replicas. Every other answer carries the primary's position, also of a question: a screen that was told of news reads
 * them next. Must be registered before the routes.
 */
export function readFromReplicas(api: RouteApp, { replicas, claimsOf, secureCookies }: ReplicaParts): void {
  api.addHook('onRoute', (route) => {
    if (!isReadFromReplicas(route)) return
    const answer = route.handler
    route.handler = async function onReplica(request, reply) {
      const claims = await claimsOf(request)
      return await readingFromReplicas({ atLeast: positionOf(request), asker: claims?.sub ?? '' }, () =>
        answer.call(this, request, reply),
      )
    }
  })
  api.addHook('onSend', async (request, reply) => {
    const { method, url = '' } = request.routeOptions
    if (isReadFromReplicas({ method: method ?? [], url }) || !(await claimsOf(request))) return
    // An answer is whole without it: what the browser knew holds on.
    const position = await replicas.position().catch(() => undefined)
    if (position === undefined) return
    reply.setCookie(POSITION_COOKIE, printLogPosition(position), {
      path: '/api',
      httpOnly: true,
      sameSite: 'strict',
      secure: secureCookies,
      maxAge: KEPT_SECONDS,
    })
  })
}
