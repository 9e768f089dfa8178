import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runUntilDeadline } from '#server/platform/engine/deadline.ts'
import { hasPreferHeader } from '#server/platform/route/has-prefer-header.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import {
  createFairRequestScheduler,
  type FairRequestScheduler,
  type FairRequestSchedulerCounts,
  type FairRequestSchedulerOptions,
  type QueuedRouteCostClass,
} from './fair-turn-scheduler.ts'
import { getRouteCostClass } from './route-costs.ts'

export const REPORT_READ_ROUTES =
  /^(GET|HEAD) \/api\/v2\/projects(\/(agencies|facets|ids|queue|saved-filter-(counts|recall)|suggestions|:id(\/(why|similar-prices|linked))?))?$/

export const MARKET_READ_ROUTES =
  /^(GET|HEAD) \/api\/v2\/(agencies|budgets|calendar|companies|company-comparison|company-suggestions|company-winners|contract-ends|departments|who-wins)($|\/)/

type Shares = Pick<FairRequestSchedulerOptions, 'atOnce' | 'maxEach' | 'minEach'>
/**
 * Maximum concurrent costly requests: in total (`atOnce`), for an organisation that is alone (`maxEach`), and the
 * minimum for each of many (`minEach`). Five of ten connections remain for everything else. The limits exceed one
 * because opening the report requests its page and its facets at the same time; one after the other would take twice as
 * long.
 */
const TURNS: Readonly<Record<Db['engine'], Shares>> = {
  postgres: { atOnce: 4, maxEach: 3, minEach: 2 },
  // One session, but with several turns the server prepares a query while the database answers another.
  pglite: { atOnce: 3, maxEach: 2, minEach: 1 },
}
/** All demo visitors together share one turn, and never take one from an organisation. */
const DEMO_TURNS: Shares = { atOnce: 1, maxEach: 1, minEach: 1 }
const REQUEST_LIMIT_MS = 15_000
const DEMO_REQUEST_LIMIT_MS = 5_000
/** A request that has waited this long for a turn gets 503 with `Retry-After`. */
const MAX_WAIT_MS: FairRequestSchedulerOptions['waitMs'] = { page: 5_000, costly: 3_000, file: 2_000 }

const CLIENT_GONE = new Error('the client disconnected')

export const isQueuedRoute = (route: Pick<RouteOptions, 'method' | 'url'>): boolean =>
  getRouteCostClass(route) !== 'light'

export type CostlyRequestQueues = {
  readonly organisations: FairRequestScheduler
  readonly demo: FairRequestScheduler
  counts(): FairRequestSchedulerCounts
}

/**
 * Creates the turn queues for this engine. While `isReading` (the columns of all projects are loading), SQL answers
 * queries, and a long queue gets one turn at a time so that loading finishes sooner: at 100 requests a second, two
 * cores load a million projects in 20 s, against 38 s with four turns.
 */
export function createCostlyRequestQueues(
  engine: Db['engine'],
  { waitingEach, isReading }: { readonly waitingEach: number; readonly isReading: () => boolean },
): CostlyRequestQueues {
  const options = { waitingEach, waitMs: MAX_WAIT_MS, isThrottled: isReading }
  const organisations = createFairRequestScheduler({ ...TURNS[engine], ...options })
  const demo = createFairRequestScheduler({ ...DEMO_TURNS, ...options })
  function counts(): FairRequestSchedulerCounts {
    const [organisationCounts, demoCounts] = [organisations.counts(), demo.counts()]
    return {
      running: organisationCounts.running + demoCounts.running,
      waiting: organisationCounts.waiting + demoCounts.waiting,
      refused: {
        full: organisationCounts.refused.full + demoCounts.refused.full,
        late: organisationCounts.refused.late + demoCounts.refused.late,
      },
    }
  }
  return { organisations, demo, counts }
}

type CallerParts = {
  readonly claimsOf: (request: FastifyRequest) => Promise<AccessTokenClaims | undefined>
  readonly isDemo: (organisation: string) => Promise<boolean>
}

/**
 * Makes all routes of this scope except `light` ones wait for a turn of their organisation (R42), before the session is
 * looked up. The turn is released when the response is ready to send; each piece of a computed file takes its own turn,
 * so that a slow reader does not occupy one. Every response has a time limit (R49), after which it fails with
 * `query_too_slow`. Register after the rate limits, which refuse more cheaply, and before the routes.
 */
export function queueCostlyRequests(api: RouteApp, work: CostlyRequestQueues, { claimsOf, isDemo }: CallerParts): void {
  const releases = new WeakMap<FastifyRequest, () => void>()

  async function laneOf(request: FastifyRequest): Promise<{ turns: FairRequestScheduler; lane: string } | undefined> {
    const claims = await claimsOf(request)
    if (claims) return { turns: (await isDemo(claims.org)) ? work.demo : work.organisations, lane: claims.org }
    // Public routes with a secret URL, e.g. of a calendar, each get their own lane in the demo's queue.
    return request.routeOptions.config.public ? { turns: work.demo, lane: request.url } : undefined
  }

  async function wait(request: FastifyRequest, reply: FastifyReply, cost: QueuedRouteCostClass): Promise<void> {
    // A HEAD route inherits the hooks of its GET, so the request may already have its turn.
    if (releases.has(request)) return
    if (isMinimalAction(request)) return
    const callerLane = await laneOf(request)
    if (callerLane === undefined) return
    const disconnect = new AbortController()
    // Abort with our own reason: creating the default DOMException costs 1 ms, even if the request ends well.
    reply.raw.once('close', () => disconnect.abort(CLIENT_GONE))
    try {
      releases.set(request, await callerLane.turns.take(callerLane.lane, { cost, signal: disconnect.signal }))
    } catch (error) {
      if (!disconnect.signal.aborted) throw error
      reply.hijack()
    }
  }

  // Releases the turn when the response is ready; not on a closed connection, because the work continues.
  async function releaseTurn<T>(request: FastifyRequest, payload: T): Promise<T | Readable> {
    releases.get(request)?.()
    if (!(payload instanceof Readable) || getRouteCostClass(routeOf(request)) !== 'file') return payload
    const callerLane = await laneOf(request)
    return callerLane
      ? Readable.from(streamInTurns(payload, callerLane), { objectMode: false, highWaterMark: 1 })
      : payload
  }

  api.addHook('onRoute', (route) => {
    const cost = getRouteCostClass(route)
    if (cost === 'light') return
    const waitForTurn = (request: FastifyRequest, reply: FastifyReply) => wait(request, reply, cost)
    // A body may arrive slowly and must not occupy a turn meanwhile, so take the turn once it is complete.
    if (route.method === 'POST' || route.method === 'PATCH')
      route.preHandler = [route.preHandler ?? [], waitForTurn].flat()
    else route.onRequest = [route.onRequest ?? [], waitForTurn].flat()
    route.onSend = [
      route.onSend ?? [],
      (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => releaseTurn(request, payload),
    ].flat()
    const handler = route.handler
    route.handler = async function withinLimit(request, reply) {
      const callerLane = await laneOf(request)
      const limit = callerLane?.turns === work.demo ? DEMO_REQUEST_LIMIT_MS : REQUEST_LIMIT_MS
      return await runUntilDeadline(limit, () => handler.call(this, request, reply))
    }
  })
}

/** True for a change, such as a star, that is answered with 204 without loading the user and therefore takes no turn. */
const isMinimalAction = (request: FastifyRequest) =>
  request.method === 'PATCH' &&
  /\/users\/me\/?$/.test(request.routeOptions.url ?? '') &&
  hasPreferHeader(request, 'return=minimal')

const routeOf = ({ method, routeOptions }: FastifyRequest) => ({ method, url: routeOptions.url ?? '' })

async function* streamInTurns(
  file: Readable,
  { turns, lane }: { turns: FairRequestScheduler; lane: string },
): AsyncGenerator<Buffer> {
  const pieces = file[Symbol.asyncIterator]()
  try {
    for (;;) {
      const release = await turns.take(lane, { cost: 'file', isExemptFromWaitLimits: true })
      const piece = await pieces.next().finally(release)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    file.destroy()
  }
}
