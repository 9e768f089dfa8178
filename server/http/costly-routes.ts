import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { AccessClaims } from '#contract/session.ts'
import type { Db } from '#server/db/db.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import type { FairTurns } from './fair-turns.ts'

/** The report and its projects: what people look at, costly and with a limit of its own for each user. */
export const REPORT_READS =
  /^(GET|HEAD) \/api\/v2\/projects(\/(facets|ids|queue|saved-filter-counts|:id(\/(why|similar-prices|linked))?))?$/

/**
 * Addresses whose answer takes the database milliseconds and more. Everything else, one's own account, the pulse, marks and lists, is
 * some look-ups by key and never waits behind these.
 */
const COSTLY = [
  REPORT_READS,
  /^(GET|HEAD) \/api\/v2\/(budgets|companies|company-comparison|company-suggestions|company-winners|departments)($|\/)/,
  /^(GET|HEAD) \/api\/v2\/organisations\/me\/(keyword-stats|hidden|logs)$/,
  /^POST \/api\/v2\/organisations\/me\/keywords\/preview$/,
]

/**
 * How many costly answers are worked on at once, by all and by one organisation at least. Of ten connections six stay for the rest. A look at the report
 * asks for its page and its facets at once: one after the other it would take twice as long.
 */
const TURNS: Readonly<Record<Db['engine'], { readonly atOnce: number; readonly leastEach: number }>> = {
  postgres: { atOnce: 4, leastEach: 2 },
  // One session: the second is read and written by us while the first is asked.
  pglite: { atOnce: 2, leastEach: 1 },
}
/** Who waited this long for a turn is told to come back. */
const WAIT_MS = 2_000

const GONE = new Error('the caller went away')

export function isCostly({ method, url }: Pick<RouteOptions, 'method' | 'url'>): boolean {
  return COSTLY.some((costly) => costly.test(`${[method].flat()[0]} ${url}`))
}

/** Turns as this engine can use them. */
export function turnsFor(engine: Db['engine'], waitingEach: number) {
  return { ...TURNS[engine], waitingEach, waitMs: WAIT_MS }
}

/**
 * Costly routes of this scope wait for a turn of their organisation (R42), before its session is looked up, and keep it until their answer is made; sending
 * it takes none. Must be registered after the limits, which refuse more cheaply, and before the routes.
 */
export function takeTurns(
  api: RouteApp,
  turns: FairTurns,
  claimsOf: (request: FastifyRequest) => Promise<AccessClaims | undefined>,
): void {
  const held = new WeakMap<FastifyRequest, () => void>()

  async function wait(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const claims = await claimsOf(request)
    // Without a session it ends at the next step; a HEAD route inherits the hooks of its GET.
    if (claims === undefined || held.has(request)) return
    const gone = new AbortController()
    // A reason of our own: making the usual DOMException costs a millisecond, for every request that ended well.
    reply.raw.once('close', () => gone.abort(GONE))
    try {
      held.set(request, await turns.take(claims.org, gone.signal))
    } catch (error) {
      if (!gone.signal.aborted) throw error
      // Nobody is there to be answered.
      reply.hijack()
    }
  }

  // Not when the connection closes: the work for a caller who went away goes on, and its turn with it.
  async function giveBack(request: FastifyRequest): Promise<void> {
    held.get(request)?.()
  }

  api.addHook('onRoute', (route) => {
    if (!isCostly(route)) return
    // A body may come slowly, and nobody waits for it with a turn in hand.
    if (route.method === 'POST') route.preHandler = [route.preHandler ?? [], wait].flat()
    else route.onRequest = [route.onRequest ?? [], wait].flat()
    route.onSend = [route.onSend ?? [], giveBack].flat()
  })
}
