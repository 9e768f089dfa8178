import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AccessClaims } from '#contract/account/session.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { answerWithin } from '#server/platform/engine/deadline.ts'
import { prefers } from '#server/platform/route/prefer.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createFairTurns, type FairTurnOptions, type FairTurns, type TurnClass, type TurnCounts } from './fair-turns.ts'
import { costOf } from './route-costs.ts'

/** The report and its projects: what people look at, costly and with a limit of its own for each user. */
export const REPORT_READS =
  /^(GET|HEAD) \/api\/v2\/projects(\/(facets|ids|queue|saved-filter-(counts|recall)|suggestions|:id(\/(why|similar-prices|linked))?))?$/

/** Companies, purchases, agencies, budgets and dates: costly too. */
export const MARKET_READS =
  /^(GET|HEAD) \/api\/v2\/(agencies|budgets|calendar|companies|company-comparison|company-suggestions|company-winners|contract-ends|departments|who-wins)($|\/)/

type Shares = Pick<FairTurnOptions, 'atOnce' | 'mostEach' | 'leastEach'>
/**
 * How many costly answers are worked on at once, by all, by one organisation that is alone, and by each of many at least. Of ten connections five stay for
 * the rest. A look at the report asks for its page and its facets at once: one after the other it would take twice as long.
 */
const TURNS: Readonly<Record<Db['engine'], Shares>> = {
  postgres: { atOnce: 4, mostEach: 3, leastEach: 2 },
  // PGlite has one session. A second turn lets the server prepare one question while the database answers another.
  pglite: { atOnce: 3, mostEach: 2, leastEach: 1 },
}
/** Visitors of the demo, all together, have one turn of their own and never one of the organisations'. */
const DEMO_TURNS: Shares = { atOnce: 1, mostEach: 1, leastEach: 1 }
/** All that one question may take, its statements and what is computed between them. A stranger gets less. */
const QUESTION_MS = 15_000
const DEMO_QUESTION_MS = 5_000
/** A request that waited this long for a turn is answered 503 with `Retry-After`. */
const WAIT_MS: FairTurnOptions['waitMs'] = { page: 5_000, costly: 3_000, file: 2_000 }

const GONE = new Error('the caller went away')

/** Whether the route takes turns. */
export const isCostly = (route: Pick<RouteOptions, 'method' | 'url'>): boolean => costOf(route) !== 'light'

export type CostlyWork = {
  readonly organisations: FairTurns
  readonly demo: FairTurns
  /** Both together. */
  counts(): TurnCounts
}

/**
 * Turns as this engine can use them. `isReading`: the columns of all projects are being read. SQL answers questions until then, and a long line of them
 * gets one turn at a time, so that the reading ends sooner: at 100 requests a second two cores read a million projects in 20 s, and in 38 s with four turns.
 */
export function createCostlyWork(
  engine: Db['engine'],
  { waitingEach, isReading }: { readonly waitingEach: number; readonly isReading: () => boolean },
): CostlyWork {
  const options = { waitingEach, waitMs: WAIT_MS, isHeldBack: isReading }
  const organisations = createFairTurns({ ...TURNS[engine], ...options })
  const demo = createFairTurns({ ...DEMO_TURNS, ...options })
  function counts(): TurnCounts {
    const [one, other] = [organisations.counts(), demo.counts()]
    return {
      running: one.running + other.running,
      waiting: one.waiting + other.waiting,
      refused: { full: one.refused.full + other.refused.full, late: one.refused.late + other.refused.late },
    }
  }
  return { organisations, demo, counts }
}

type CallerParts = {
  readonly claimsOf: (request: FastifyRequest) => Promise<AccessClaims | undefined>
  /** Whether an organisation, by the claim `org`, is the demo. */
  readonly isDemo: (organisation: string) => Promise<boolean>
}

/**
 * Routes of this scope that are not `light` wait for a turn of their organisation (R42), before its session is looked up, and keep it until their answer is
 * made. Sending it takes none, except that each piece of a computed file takes a turn of its own: a slow reader must not keep one. Each answer has one time limit (R49) and
 * is `query_too_slow` after it. Must be registered after the limits, which refuse more cheaply, and before the routes.
 */
export function takeTurns(api: RouteApp, work: CostlyWork, { claimsOf, isDemo }: CallerParts): void {
  const releases = new WeakMap<FastifyRequest, () => void>()

  /** Turns and lane of the caller; undefined for a route that will refuse a caller without a session. */
  async function laneOf(request: FastifyRequest): Promise<{ turns: FairTurns; lane: string } | undefined> {
    const claims = await claimsOf(request)
    if (claims) return { turns: (await isDemo(claims.org)) ? work.demo : work.organisations, lane: claims.org }
    // Secret addresses, e.g. of a calendar: each has a lane of its own among those of strangers.
    return request.routeOptions.config.public ? { turns: work.demo, lane: request.url } : undefined
  }

  async function wait(request: FastifyRequest, reply: FastifyReply, cost: TurnClass): Promise<void> {
    // A HEAD route inherits the hooks of its GET.
    if (releases.has(request)) return
    if (isMinimalAction(request)) return
    const own = await laneOf(request)
    if (own === undefined) return
    const gone = new AbortController()
    // A reason of our own: making the usual DOMException costs a millisecond, for every request that ended well.
    reply.raw.once('close', () => gone.abort(GONE))
    try {
      releases.set(request, await own.turns.take(own.lane, { cost, signal: gone.signal }))
    } catch (error) {
      if (!gone.signal.aborted) throw error
      // No client is connected any more.
      reply.hijack()
    }
  }

  // Not when the connection closes: the work for a caller who went away goes on, and its turn with it.
  async function giveBack<T>(request: FastifyRequest, payload: T): Promise<T | Readable> {
    releases.get(request)?.()
    if (!(payload instanceof Readable) || costOf(routeOf(request)) !== 'file') return payload
    const own = await laneOf(request)
    return own ? Readable.from(inTurns(payload, own), { objectMode: false, highWaterMark: 1 }) : payload
  }

  api.addHook('onRoute', (route) => {
    const cost = costOf(route)
    if (cost === 'light') return
    const waitForTurn = (request: FastifyRequest, reply: FastifyReply) => wait(request, reply, cost)
    // A body may arrive slowly, and must not keep a turn meanwhile.
    if (route.method === 'POST' || route.method === 'PATCH')
      route.preHandler = [route.preHandler ?? [], waitForTurn].flat()
    else route.onRequest = [route.onRequest ?? [], waitForTurn].flat()
    route.onSend = [
      route.onSend ?? [],
      (request: FastifyRequest, _reply: FastifyReply, payload: unknown) => giveBack(request, payload),
    ].flat()
    const answer = route.handler
    route.handler = async function withinLimit(request, reply) {
      const own = await laneOf(request)
      const limit = own?.turns === work.demo ? DEMO_QUESTION_MS : QUESTION_MS
      return await answerWithin(limit, () => answer.call(this, request, reply))
    }
  })
}

/** A mark that the browser sets: answered 204, without reading the user. */
const isMinimalAction = (request: FastifyRequest) =>
  request.method === 'PATCH' &&
  /\/users\/me\/?$/.test(request.routeOptions.url ?? '') &&
  prefers(request, 'return=minimal')

const routeOf = ({ method, routeOptions }: FastifyRequest) => ({ method, url: routeOptions.url ?? '' })

/** The pieces of a file, each read under a turn. */
async function* inTurns(file: Readable, { turns, lane }: { turns: FairTurns; lane: string }): AsyncGenerator<Buffer> {
  const pieces = file[Symbol.asyncIterator]()
  try {
    for (;;) {
      const release = await turns.take(lane, { cost: 'file', isPatient: true })
      const piece = await pieces.next().finally(release)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    // The client went away before the end.
    file.destroy()
  }
}
