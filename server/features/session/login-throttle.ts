import type { Db } from '#server/db/db.ts'
import { ProblemError } from '#server/route/problem.ts'
import { blockedUntil, forgetLoginFailures, pruneLoginFailures, reserveLoginAttempt } from './throttle-queries.ts'

const PRUNE_EVERY_MS = 60 * 60 * 1000
let prunedAt = 0

const minutesFrom = (from: Date, until: Date) => Math.max(1, Math.ceil((until.getTime() - from.getTime()) / 1000))

/**
 * Counts an attempt for this account before it is tried, so that fifty at once are not fifty tries (R5). The fifth in
 * fifteen minutes closes the account for 1 minute, each further one for 2, 4, 8 and at most 15. The count is kept in the
 * database by account, known or not: a restart forgives nothing and addresses do not matter.
 * Throws ProblemError `too_many_requests` while closed.
 */
export async function reserveAttempt(db: Db, emailKey: string, now: Date): Promise<void> {
  if (now.getTime() - prunedAt > PRUNE_EVERY_MS) {
    prunedAt = now.getTime()
    await pruneLoginFailures(db, now)
  }
  if (await reserveLoginAttempt(db, emailKey, now)) return
  const until = await blockedUntil(db, emailKey)
  throw new ProblemError('too_many_requests', { retryAfterSeconds: until ? minutesFrom(now, new Date(until)) : 1 })
}

/** The right password: the account starts afresh. */
export async function forgiveAttempts(db: Db, emailKey: string): Promise<void> {
  await forgetLoginFailures(db, emailKey)
}
