import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AccessClaims } from '#contract/account/session.ts'
import type { Db } from '#server/engine/db.ts'
import { answerWithin } from '#server/engine/deadline.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { createFairTurns, type FairTurnOptions, type FairTurns, type TurnCounts } from './fair-turns.ts'

/** The report and its projects: what people look at, costly and with a limit of its own for each user. */
export const REPORT_READS =
  /^(GET|HEAD) \/api\/v2\/projects(\/(facets|ids|queue|saved-filter-(counts|recall)|suggestions|:id(\/(why|similar-prices|linked))?))?$/

/** Companies, purchases, agencies, budgets and dates: costly too. */
export const MARKET_READS =
  /^(GET|HEAD) \/api\/v2\/(agencies|budgets|calendar|companies|company-comparison|company-suggestions|company-winners|contract-ends|departments|who-wins)($|\/)/

/**
 * Addresses whose answer takes the database milliseconds and more. Everything else, one's own account, the change poll, marks and lists, is
 * some look-ups by key and never waits behind these.
 */
const COSTLY = [
  REPORT_READS,
  MARKET_READS,
  /^(GET|HEAD) \/api\/v2\/organisations\/me\/(keyword-stats|hidden|logs(\/export)?)$/,
  /^(GET|HEAD) \/api\/v2\/documents(\/:id\/hits)?$/,
  /^(GET|HEAD) \/api\/v2\/(pursuits|results(\/(rows|file))?)$/,
  /^POST \/api\/v2\/organisations\/me\/keywords\/preview$/,
]

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
const WAIT_MS = 2_000

const GONE = new Error('the caller went away')

export function isCostly({ method, url }: Pick<RouteOptions, 'method' | 'url'>): boolean {
  return COSTLY.some((costly) => costly.test(`${[method].flat()[0]} ${url}`))
}

export type CostlyWork = {
  readonly organisations: FairTurns
  readonly demo: FairTurns
  /** Both together. */
  counts(): TurnCounts
}

/**
 * Turns as this engine can use them. `isReading`: the columns of all projects are being read. SQL answers questions until then, and a long line of them
 * gets one turn at a time, so that the reading ends sooner: at 100 requests a second two cores read a million projects in 20 s, and in 38 s with four turns (decision 0165).
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
 * Costly routes of this scope wait for a turn of their organisation (R42), before its session is looked up, and keep it until their answer is made; sending
 * it takes none. Each answer has one time limit (R49) and is `query_too_slow` after it. Must be registered after the limits, which refuse more cheaply, and before the routes.
 */
export function takeTurns(api: RouteApp, work: CostlyWork, { claimsOf, isDemo }: CallerParts): void {
  const releases = new WeakMap<FastifyRequest, () => void>()

  async function wait(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const claims = await claimsOf(request)
    // Without a session it ends at the next step; a HEAD route inherits the hooks of its GET.
    if (claims === undefined || releases.has(request)) return
    const turns = (await isDemo(claims.org)) ? work.demo : work.organisations
    const gone = new AbortController()
    // A reason of our own: making the usual DOMException costs a millisecond, for every request that ended well.
    reply.raw.once('close', () => gone.abort(GONE))
    try {
      releases.set(request, await turns.take(claims.org, gone.signal))
    } catch (error) {
      if (!gone.signal.aborted) throw error
      // Nobody is there to be answered.
      reply.hijack()
    }
  }

  // Not when the connection closes: the work for a caller who went away goes on, and its turn with it.
  async function giveBack(request: FastifyRequest): Promise<void> {
    releases.get(request)?.()
  }

  api.addHook('onRoute', (route) => {
    if (!isCostly(route)) return
    // A body may come slowly, and nobody waits for it with a turn in hand.
    if (route.method === 'POST') route.preHandler = [route.preHandler ?? [], wait].flat()
    else route.onRequest = [route.onRequest ?? [], wait].flat()
    route.onSend = [route.onSend ?? [], giveBack].flat()
    const answer = route.handler
    route.handler = async function withinLimit(request, reply) {
      const claims = await claimsOf(request)
      const limit = claims !== undefined && (await isDemo(claims.org)) ? DEMO_QUESTION_MS : QUESTION_MS
      return await answerWithin(limit, () => answer.call(this, request, reply))
    }
  })
}
