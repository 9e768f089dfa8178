import { ProblemError } from '#server/route/problem.ts'

/** An organisation counts as active for this long after its last turn: its share stays free for what it asks next. */
const ACTIVE_MS = 1_000

export type FairTurnOptions = {
  /** Turns held at once, by all organisations together. */
  readonly atOnce: number
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
type Lane = { running: number; readonly waiting: Waiter[]; usedAt: number }

/**
 * Turns among organisations (R42). At most `atOnce` are held; each organisation waits in a line of its own and the lines are served in rotation, so
 * however long one is, the next request of another organisation is at most one round away. The turns are shared out evenly among those
 * that were active within the last second, at least one each: a single busy organisation leaves free what others are about to need.
 */
export function createFairTurns({ atOnce, waitingEach, waitMs }: FairTurnOptions): FairTurns {
  /** In the order of rotation: whoever was served stands at the end. */
  const lanes = new Map<string, Lane>()
  const refused = { full: 0, late: 0 }
  let running = 0
  let waiting = 0

  function laneOf(organisation: string): Lane {
    const known = lanes.get(organisation)
    if (known) return known
    const lane: Lane = { running: 0, waiting: [], usedAt: 0 }
    lanes.set(organisation, lane)
    return lane
  }

  /** Also forgets who has not been here for a while: never more lanes than were active within the last second. */
  function fairShare(now: number): number {
    for (const [organisation, lane] of lanes) {
      if (lane.running === 0 && lane.waiting.length === 0 && now - lane.usedAt > ACTIVE_MS) lanes.delete(organisation)
    }
    return Math.max(1, Math.floor(atOnce / lanes.size))
  }

  function begin(organisation: string, lane: Lane): () => void {
    running += 1
    lane.running += 1
    lanes.delete(organisation)
    lanes.set(organisation, lane)
    let held = true
    return () => {
      if (!held) return
      held = false
      running -= 1
      lane.running -= 1
      lane.usedAt = performance.now()
      serve()
    }
  }

  function serve(): void {
    const share = fairShare(performance.now())
    const isNext = (lane: Lane) => lane.waiting.length > 0 && lane.running < share
    while (running < atOnce) {
      const next = [...lanes.values()].find(isNext)?.waiting.shift()
      if (!next) return
      next.admit()
    }
  }

  function take(organisation: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const lane = laneOf(organisation)
    lane.usedAt = performance.now()
    if (running < atOnce && lane.waiting.length === 0 && lane.running < fairShare(lane.usedAt))
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
    })
  }

  return { take, counts: () => ({ running, waiting, refused: { ...refused } }) }
}
