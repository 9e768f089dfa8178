import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { RouteCostClass } from './route-costs.ts'

const TURN_CLASSES = ['page', 'costly', 'file'] as const satisfies readonly RouteCostClass[]
export type QueuedRouteCostClass = (typeof TURN_CLASSES)[number]

/**
 * An organisation counts as active for this long after its last turn; meanwhile its share stays reserved for its next
 * request.
 */
const ACTIVE_MS = 1_000
/**
 * Milliseconds of work that an organisation may use without a pause while others are active. It earns back 0.25 ms per
 * millisecond, which is a quarter of the server. An SQL query over a million projects costs 0.1 s, so a team may run
 * twenty at once and then two a second.
 */
const CREDIT_MS = 2_000
const EARN_RATE = 0.25
/**
 * Upper bound of the cooldown, however long a request took: waiting requests of the organisation must be answered, not
 * refused as late.
 */
const MAX_COOLDOWN_MS = 1_500
/**
 * Queue length that SQL answers in two seconds, one query after another. Beyond this length some requests are refused
 * anyway, whatever the number of turns.
 */
const LONG_QUEUE = 24

export type FairRequestSchedulerOptions = {
  readonly atOnce: number
  /**
   * While this returns true and more requests wait than can be answered in time (`LONG_QUEUE`), only one turn is
   * granted at a time.
   */
  readonly isThrottled?: () => boolean
  readonly maxEach: number
  readonly minEach: number
  readonly waitingEach: number
  /**
   * Maximum wait per class before a request is refused. Costlier classes have shorter limits, so files and figures are
   * shed before pages.
   */
  readonly waitMs: Readonly<Record<QueuedRouteCostClass, number>>
}

type TurnRequest = {
  readonly cost?: QueuedRouteCostClass
  readonly signal?: AbortSignal | undefined
  readonly isExemptFromWaitLimits?: boolean
}

export type FairRequestScheduler = {
  /**
   * Resolves with a function that releases the turn. Rejects with ProblemError `too_many_requests` when too many
   * requests of this organisation and class wait, with `unavailable` after `waitMs`, and with the signal's reason when
   * the caller has disconnected.
   */
  take(organisation: string, request?: TurnRequest): Promise<() => void>
  readonly counts: () => FairRequestSchedulerCounts
}

export type FairRequestSchedulerCounts = {
  readonly running: number
  readonly waiting: number
  /** Refusals since the start: `full` because too many requests waited, `late` because the wait was too long. */
  readonly refused: { readonly full: number; readonly late: number }
}

type Waiter = { admit(): void }
type Lane = {
  running: number
  runningFiles: number
  readonly waiting: Readonly<Record<QueuedRouteCostClass, Waiter[]>>
  usedAt: number
  /** Milliseconds of work that the organisation has used and not yet earned back at `owedAt`. */
  owed: number
  owedAt: number
}

/**
 * Shares turns fairly among organisations (R42). Each organisation has its own queue, and the queues are served
 * round-robin, so the next request of another organisation waits at most one round, however long one queue is. Turns
 * are divided evenly among the organisations active within the last second, at least `minEach` for each. A turn costs
 * its share of the elapsed time, because concurrent turns slow each other down: charged by wall clock, every
 * organisation would pay more at a busy time, and the busy time would never end. An organisation without credit cools
 * down between its turns while others are active. Across all lanes, pages are served before costly requests, and these
 * before files; files never take more than half of the turns, and at most one turn of an organisation.
 */
export function createFairRequestScheduler({
  atOnce,
  maxEach,
  minEach,
  waitingEach,
  waitMs,
  isThrottled = () => false,
}: FairRequestSchedulerOptions): FairRequestScheduler {
  const lanes = new Map<string, Lane>()
  const refused = { full: 0, late: 0 }
  const maxFiles = Math.max(1, Math.floor(atOnce / 2))
  let running = 0
  let runningFiles = 0
  /**
   * Milliseconds of work that each concurrent turn has received until `clockAt`: with four running, this clock advances
   * at a quarter of real time.
   */
  let clock = 0
  let clockAt = performance.now()
  let waiting = 0
  let waking: NodeJS.Timeout | undefined

  const currentLimit = () => (waiting >= LONG_QUEUE && isThrottled() ? 1 : atOnce)

  function laneOf(organisation: string): Lane {
    const existing = lanes.get(organisation)
    if (existing) return existing
    const lane: Lane = {
      ...{ running: 0, runningFiles: 0, usedAt: 0, owed: 0, owedAt: 0 },
      waiting: { page: [], costly: [], file: [] },
    }
    lanes.set(organisation, lane)
    return lane
  }

  const owes = (lane: Lane, now: number) => Math.max(0, lane.owed - (now - lane.owedAt) * EARN_RATE)

  const cooldownOf = (lane: Lane, now: number) => Math.max(0, (owes(lane, now) - CREDIT_MS) / EARN_RATE)

  function countActive(now: number): number {
    let active = 0
    for (const [organisation, lane] of lanes) {
      if (lane.running > 0 || isWaiting(lane) || now - lane.usedAt <= ACTIVE_MS) active += 1
      else if (owes(lane, now) === 0) lanes.delete(organisation)
    }
    return active
  }

  const mayBegin = (lane: Lane, cost: QueuedRouteCostClass, active: number, now: number) =>
    (cost !== 'file' || (runningFiles < maxFiles && lane.runningFiles === 0)) &&
    lane.running < Math.min(maxEach, Math.max(minEach, Math.floor(atOnce / active))) &&
    (active <= 1 || cooldownOf(lane, now) === 0)

  /** Advances the work clock to `now`. Must be called before the number of running turns changes. */
  function readClock(now: number): number {
    clock += running === 0 ? 0 : (now - clockAt) / running
    clockAt = now
    return clock
  }

  function begin(organisation: string, lane: Lane, cost: QueuedRouteCostClass): () => void {
    const begunAt = readClock(performance.now())
    const files = cost === 'file' ? 1 : 0
    running += 1
    lane.running += 1
    runningFiles += files
    lane.runningFiles += files
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
      runningFiles -= files
      lane.runningFiles -= files
      lane.usedAt = now
      lane.owed = Math.min(owes(lane, now) + used, CREDIT_MS + MAX_COOLDOWN_MS * EARN_RATE)
      lane.owedAt = now
      serve()
    }
  }

  function serve(): void {
    const now = performance.now()
    const active = countActive(now)
    while (running < currentLimit()) {
      const next = takeNext(active, now)
      if (!next) break
      next.admit()
    }
    wakeAfterCooldown(now)
  }

  function takeNext(active: number, now: number): Waiter | undefined {
    for (const cost of TURN_CLASSES) {
      for (const lane of lanes.values())
        if (lane.waiting[cost].length > 0 && mayBegin(lane, cost, active, now)) return lane.waiting[cost].shift()
    }
    return undefined
  }

  /**
   * Serves the next request when a cooldown ends. Normally a released turn does so, but there is none while every
   * waiting organisation cools down.
   */
  function wakeAfterCooldown(now: number): void {
    clearTimeout(waking)
    const cooldowns = [...lanes.values()].filter((lane) => isWaiting(lane)).map((lane) => cooldownOf(lane, now))
    const soonest = Math.min(...cooldowns.filter((ms) => ms > 0))
    if (soonest < Number.POSITIVE_INFINITY) waking = setTimeout(serve, Math.ceil(soonest))
  }

  function take(
    organisation: string,
    { cost = 'page', signal, isExemptFromWaitLimits = false }: TurnRequest = {},
  ): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const lane = laneOf(organisation)
    const queue = lane.waiting[cost]
    lane.usedAt = performance.now()
    if (
      running < currentLimit() &&
      !isWaiting(lane, cost) &&
      mayBegin(lane, cost, countActive(lane.usedAt), lane.usedAt)
    )
      return Promise.resolve(begin(organisation, lane, cost))
    const retryAfterSeconds = Math.ceil(waitMs.file / 1000)
    if (queue.length >= waitingEach && !isExemptFromWaitLimits) {
      refused.full += 1
      return Promise.reject(new ProblemError('too_many_requests', { retryAfterSeconds }))
    }
    return new Promise((resolve, reject) => {
      const cleanUp = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abandon)
        waiting -= 1
      }
      const giveUp = (why: unknown) => {
        queue.splice(queue.indexOf(waiter), 1)
        cleanUp()
        reject(why)
      }
      const abandon = () => giveUp(signal?.reason)
      const timer = isExemptFromWaitLimits
        ? undefined
        : setTimeout(() => {
            refused.late += 1
            giveUp(new ProblemError('unavailable', { retryAfterSeconds }))
          }, waitMs[cost])
      const waiter: Waiter = {
        admit() {
          cleanUp()
          resolve(begin(organisation, lane, cost))
        },
      }
      waiting += 1
      queue.push(waiter)
      signal?.addEventListener('abort', abandon)
      // A cooldown may have ended since the check above, and while no turn is running, none is released that would serve it.
      serve()
    })
  }

  return { take, counts: () => ({ running, waiting, refused: { ...refused } }) }
}

function isWaiting({ waiting }: Lane, upTo: QueuedRouteCostClass = 'file'): boolean {
  return TURN_CLASSES.slice(0, TURN_CLASSES.indexOf(upTo) + 1).some((cost) => waiting[cost].length > 0)
}
