import type { Db } from '#server/db/db.ts'
import { pruneDeletedKeywords } from '#server/db/deleted-keywords.ts'
import { isMatchingDue, pruneMatching } from '#server/db/match-requests.ts'
import { type MatchLog, matchWaiting } from './match-waiting.ts'

/** Somebody waits for their report to change: a look at an empty queue costs one indexed query. */
const LOOK_EVERY_MS = 250
const PRUNE_EVERY_MS = 60 * 60 * 1000
/** A large organisation that is matched anew as a whole must not hold up another's one word. */
const WORKERS = 2

export type MatchSchedule = { stop(): Promise<void> }

/** Matches anew as people change their lists, until it is stopped; what is under way then waits for the next start. */
export function scheduleMatching(db: Db, log: MatchLog, now: () => Date = () => new Date()): MatchSchedule {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let prunedAt = Number.NEGATIVE_INFINITY
  let isFailing = false

  async function guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      isFailing = false
    } catch (error) {
      // Once, not four times a second, while the database is away.
      if (!isFailing && !stopping.signal.aborted) log.error({ err: error }, 'lists are not matched')
      isFailing = true
    }
  }
  function start(): void {
    const worker = guarded(() => matchWaiting({ db, log, now, signal: stopping.signal })).finally(() => {
      running.delete(worker)
    })
    running.add(worker)
  }
  async function lookOnce(): Promise<void> {
    if (running.size < WORKERS && (await isMatchingDue(db, now()))) start()
    if (now().getTime() - prunedAt < PRUNE_EVERY_MS) return
    prunedAt = now().getTime()
    await pruneMatching(db, now())
    await pruneDeletedKeywords(db, now())
  }
  function look(): void {
    looking ??= guarded(lookOnce).finally(() => {
      looking = undefined
    })
  }

  const timer = setInterval(look, LOOK_EVERY_MS)
  look()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await looking
      await Promise.all(running)
    },
  }
}
