import type { Db } from '#server/engine/db.ts'
import { pruneDeletedKeywords } from '#server/features/keyword/deleted-keywords.ts'
import { isMatchingDue, pruneMatching } from '#server/features/matching/match-requests.ts'
import { type MatchLog, matchWaiting } from './match-waiting.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'

/** Somebody waits for their report to change: a look at an empty queue costs one indexed query. */
const LOOK_EVERY_MS = 250
const PRUNE_EVERY_MS = 60 * 60 * 1000
/** A large organisation that is matched anew as a whole must not hold up another's one word. */
const WORKERS = 2

/** Matches anew as people change their lists, until it is stopped; what is under way then waits for the next start. */
export function scheduleMatching(db: Db, log: MatchLog, now: () => Date = () => new Date()): Schedule {
  const failed = (error: unknown) => log.error({ err: error }, 'lists are not matched')
  const match = async (signal: AbortSignal) => {
    if (await isMatchingDue(db, now())) await matchWaiting({ db, log, now, signal })
  }
  const prune = async () => {
    await pruneMatching(db, now())
    await pruneDeletedKeywords(db, now())
  }
  const parts = [
    ...Array.from({ length: WORKERS }, () => repeatWork({ everyMs: LOOK_EVERY_MS, work: match, failed })),
    repeatWork({ everyMs: PRUNE_EVERY_MS, work: prune, failed }),
  ]
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  }
}
