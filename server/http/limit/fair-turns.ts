import { ProblemError } from '#server/route/problem.ts'

/** An organisation counts as active for this long after its last turn. Meanwhile its share stays free for its next request. */
const ACTIVE_MS = 1_000
/**
 * Credit of an organisation: the work it may use without a pause while others are active. It earns back 0.25 ms per millisecond, which is a quarter
 * of the server. A question of SQL over a million projects costs 0.1 s: a team may take twenty at once and then two a second.
 */
const CREDIT_MS = 2_000
const EARNED = 0.25
/** Longest cooldown, however long one answer took: waiting requests of that organisation must be answered, not refused as late. */
const LONGEST_COOLDOWN_MS = 1_500
/** As many questions as SQL answers one after the other in two seconds. Of a longer line some are refused, whatever the number of turns. */
const LONG_LINE = 24

export type FairTurnOptions = {
  /** Most turns at once, over all organisations. */
  readonly atOnce: number
  /** While it is true, and more wait than can be answered in time (`LONG_LINE`), one turn is given at a time. */
  readonly isHeldBack?: () => boolean
  /** Most turns of one organisation when nobody else is active. The rest stays free for the next organisation. */
  readonly mostEach: number
  /** Turns that one organisation always gets, however many others are active. */
  readonly leastEach: number
  /** Most waiting requests of one organisation. The next one is refused. */
  readonly waitingEach: number
  /** A request that has waited this long is refused. */
  readonly waitMs: number
}

export type FairTurns = {
  /**
   * Resolves with the function that releases the turn. Rejects with ProblemError `too_many_requests` when too many requests of this organisation
   * wait, with `unavailable` after `waitMs`, and with the signal's reason when the caller has gone away.
   */
  take(organisation: string, signal?: AbortSignal): Promise<() => void>
  readonly counts: () => TurnCounts
}

export type TurnCounts = {
  readonly running: number
  readonly waiting: number
  /** Refused since the start: `full` because too many waited, `late` because the wait was too long. */
  readonly refused: { readonly full: number; readonly late: number }
}

type Waiter = { admit(): void }
type Lane = {
  running: number
  readonly waiting: Waiter[]
  usedAt: number
  /** Milliseconds of work used and not yet earned back at `owedAt`. */
  owed: number
  owedAt: number
}

/**
 * Shares turns fairly among organisations (R42). Each organisation has its own waiting line, and the lines are served round-robin. So the next
 * request of another organisation waits at most one round, however long one line is. Turns are divided evenly among the organisations that were
 * active within the last second, `leastEach` at least. Turns cost their share of the time that they took, since turns that run at once slow each other:
 * by the clock alone a busy moment would cost everybody more and never end. An organisation without credit cools down between its turns while others are active.
 */
export function createFairTurns({
  atOnce,
  mostEach,
  leastEach,
  waitingEach,
  waitMs,
  isHeldBack = () => false,
}: FairTurnOptions): FairTurns {
  /** In the order of rotation: the lane that was served last stands at the end. */
  const lanes = new Map<string, Lane>()
  const refused = { full: 0, late: 0 }
  let running = 0
  /** Milliseconds of work until `clockAt`, as each of the turns that ran at once had of it: with four under way it moves on by a quarter. */
  let clock = 0
  let clockAt = performance.now()
  let waiting = 0
  let waking: NodeJS.Timeout | undefined

  const mostAtOnce = () => (waiting >= LONG_LINE && isHeldBack() ? 1 : atOnce)

  function laneOf(organisation: string): Lane {
    const known = lanes.get(organisation)
    if (known) return known
    const lane: Lane = { running: 0, waiting: [], usedAt: 0, owed: 0, owedAt: 0 }
    lanes.set(organisation, lane)
    return lane
  }

  const owes = (lane: Lane, now: number) => Math.max(0, lane.owed - (now - lane.owedAt) * EARNED)

  /** Milliseconds until this organisation may start its next turn while others are active. */
  const cooldownOf = (lane: Lane, now: number) => Math.max(0, (owes(lane, now) - CREDIT_MS) / EARNED)

  /** Counts the organisations that were active within the last second. Forgets those that are inactive and owe nothing. */
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
    (active <= 1 || cooldownOf(lane, now) === 0)

  /** To be called before `running` changes. */
  function readClock(now: number): number {
    clock += running === 0 ? 0 : (now - clockAt) / running
    clockAt = now
    return clock
  }

  function begin(organisation: string, lane: Lane): () => void {
    const begunAt = readClock(performance.now())
    running += 1
    lane.running += 1
    lanes.delete(organisation)
    lanes.set(organisation, lane)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const now = performance.now()
      const used = readClock(now) - begunAt
      running -= 1
      lane.running -= 1
      lane.usedAt = now
      lane.owed = Math.min(owes(lane, now) + used, CREDIT_MS + LONGEST_COOLDOWN_MS * EARNED)
      lane.owedAt = now
      serve()
    }
  }

  function serve(): void {
    const now = performance.now()
    const active = countActive(now)
    while (running < mostAtOnce()) {
      const next = [...lanes.values()]
        .find((lane) => lane.waiting.length > 0 && mayBegin(lane, active, now))
        ?.waiting.shift()
      if (!next) break
      next.admit()
    }
    wakeAfterCooldown(now)
  }

  /** A released turn serves the next request. When every waiting organisation cools down, a timer does. */
  function wakeAfterCooldown(now: number): void {
    clearTimeout(waking)
    const cooldowns = [...lanes.values()]
      .filter(({ waiting }) => waiting.length > 0)
      .map((lane) => cooldownOf(lane, now))
    const soonest = Math.min(...cooldowns.filter((ms) => ms > 0))
    if (soonest < Number.POSITIVE_INFINITY) waking = setTimeout(serve, Math.ceil(soonest))
  }

  function take(organisation: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const lane = laneOf(organisation)
    lane.usedAt = performance.now()
    if (running < mostAtOnce() && lane.waiting.length === 0 && mayBegin(lane, countActive(lane.usedAt), lane.usedAt))
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
      wakeAfterCooldown(performance.now())
    })
  }

  return { take, counts: () => ({ running, waiting, refused: { ...refused } }) }
}
