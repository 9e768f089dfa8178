import { ProblemError } from '#server/route/problem.ts'

/** An organisation counts as active for this long after its last turn: its share stays free for what it asks next. */
const ACTIVE_MS = 1_000
/**
 * Work that an organisation may have done for it at a stretch while others are active, and what it earns anew of each millisecond: a quarter of one turn.
 * A look at the report of a million projects is 0.1 s of work: a team may take twenty at once and then two a second; a flood that held one turn
 * without a pause would have half of a machine of two cores.
 */
const CREDIT_MS = 2_000
const EARNED = 0.25
/** Nobody rests longer, whatever one answer took: who waits in the line of that organisation is to be answered, not refused as late. */
const LONGEST_REST_MS = 1_500

export type FairTurnOptions = {
  /** Turns held at once, by all organisations together. */
  readonly atOnce: number
  /** Turns that one organisation may hold when nobody else is active: what it leaves is there for whoever comes next. */
  readonly mostEach: number
  /** Turns that one organisation may hold however many others are active. */
  readonly leastEach: number
  /** Requests of one organisation that may wait; the next one is refused. */
  readonly waitingEach: number
  /** Who waited this long is refused. */
  readonly waitMs: number
}

export type FairTurns = {
  /**
   * Resolves when the turn has come, with the function that gives it back. Throws ProblemError `too_many_requests` when too many of this organisation
   * wait already, `unavailable` when the turn does not come in time, and the signal's reason when whoever waits is gone.
   */
  take(organisation: string, signal?: AbortSignal): Promise<() => void>
  readonly counts: () => TurnCounts
}

export type TurnCounts = {
  readonly running: number
  readonly waiting: number
  /** Since the start: refused because too many waited, and because it took too long. */
  readonly refused: { readonly full: number; readonly late: number }
}

type Waiter = { admit(): void }
type Lane = {
  running: number
  readonly waiting: Waiter[]
  usedAt: number
  /** Milliseconds of work that were done for it and not yet earned, at that moment. */
  owed: number
  owedAt: number
}

/**
 * Turns among organisations (R42). At most `atOnce` are held; each organisation waits in a line of its own and the lines are served in rotation, so
 * however long one is, the next request of another organisation is at most one round away. The turns are shared out evenly among those
 * that were active within the last second, `leastEach` at least: a single busy organisation leaves free what others are about to need. Turns cost what
 * they took: who has used up its credit rests between them, as long as others are active.
 */
export function createFairTurns({ atOnce, mostEach, leastEach, waitingEach, waitMs }: FairTurnOptions): FairTurns {
  /** In the order of rotation: whoever was served stands at the end. */
  const lanes = new Map<string, Lane>()
  const refused = { full: 0, late: 0 }
  let running = 0
  let waiting = 0
  let waking: NodeJS.Timeout | undefined

  function laneOf(organisation: string): Lane {
    const known = lanes.get(organisation)
    if (known) return known
    const lane: Lane = { running: 0, waiting: [], usedAt: 0, owed: 0, owedAt: 0 }
    lanes.set(organisation, lane)
    return lane
  }

  const owes = (lane: Lane, now: number) => Math.max(0, lane.owed - (now - lane.owedAt) * EARNED)

  /** How long this organisation has still to rest when others are active. */
  const restOf = (lane: Lane, now: number) => Math.max(0, (owes(lane, now) - CREDIT_MS) / EARNED)

  /** Organisations that were active within the last second; forgets those that are not and owe nothing. */
  function countActive(now: number): number {
    let active = 0
    for (const [organisation, lane] of lanes) {
      if (lane.running > 0 || lane.waiting.length > 0 || now - lane.usedAt <= ACTIVE_MS) active += 1
      else if (owes(lane, now) === 0) lanes.delete(organisation)
    }
    return active
  }

  const mayBegin = (lane: Lane, active: number, now: number) =>
    lane.running < Math.min(mostEach, Math.max(leastEach, Math.floor(atOnce / active))) &&
    (active <= 1 || restOf(lane, now) === 0)

  function begin(organisation: string, lane: Lane): () => void {
    const begunAt = performance.now()
    running += 1
    lane.running += 1
    lanes.delete(organisation)
    lanes.set(organisation, lane)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const now = performance.now()
      running -= 1
      lane.running -= 1
      lane.usedAt = now
      lane.owed = Math.min(owes(lane, now) + now - begunAt, CREDIT_MS + LONGEST_REST_MS * EARNED)
      lane.owedAt = now
      serve()
    }
  }

  function serve(): void {
    const now = performance.now()
    const active = countActive(now)
    while (running < atOnce) {
      const next = [...lanes.values()]
        .find((lane) => lane.waiting.length > 0 && mayBegin(lane, active, now))
        ?.waiting.shift()
      if (!next) break
      next.admit()
    }
    wakeAfterRest(now)
  }

  /** A turn that is given back serves the next; who rests may be the only one who waits. */
  function wakeAfterRest(now: number): void {
    clearTimeout(waking)
    const rests = [...lanes.values()].filter(({ waiting }) => waiting.length > 0).map((lane) => restOf(lane, now))
    const soonest = Math.min(...rests.filter((rest) => rest > 0))
    if (soonest < Number.POSITIVE_INFINITY) waking = setTimeout(serve, Math.ceil(soonest))
  }

  function take(organisation: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const lane = laneOf(organisation)
    lane.usedAt = performance.now()
    if (running < atOnce && lane.waiting.length === 0 && mayBegin(lane, countActive(lane.usedAt), lane.usedAt))
      return Promise.resolve(begin(organisation, lane))
    if (lane.waiting.length >= waitingEach) {
      refused.full += 1
      return Promise.reject(new ProblemError('too_many_requests', { retryAfterSeconds: Math.ceil(waitMs / 1000) }))
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', goAway)
        waiting -= 1
      }
      const giveUp = (why: unknown) => {
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1)
        leave()
        reject(why)
      }
      const goAway = () => giveUp(signal?.reason)
      const timer = setTimeout(() => {
        refused.late += 1
        giveUp(new ProblemError('unavailable', { retryAfterSeconds: Math.ceil(waitMs / 1000) }))
      }, waitMs)
      const waiter: Waiter = {
        admit() {
          leave()
          resolve(begin(organisation, lane))
        },
      }
      waiting += 1
      lane.waiting.push(waiter)
      signal?.addEventListener('abort', goAway)
      wakeAfterRest(performance.now())
    })
  }

  return { take, counts: () => ({ running, waiting, refused: { ...refused } }) }
}
