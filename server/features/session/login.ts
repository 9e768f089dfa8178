import type { LoginRequest } from '#contract/account/session.ts'
import type { Db } from '#server/engine/db.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import { hashPassword, isWeakHash, passwordFits } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import { emailKeyOf } from '#server/text/email.ts'
import {
  blockedUntil,
  findLoginCandidate,
  forgetLoginFailures,
  pruneLoginFailures,
  replacePasswordHash,
  reserveLoginAttempt,
} from './queries.ts'
import { afterPassword, type LoginContext, type LoginOutcome, type Origin } from './second-step.ts'

const PRUNE_EVERY_MS = 60 * 60 * 1000
let prunedAt = 0

const minutesFrom = (from: Date, until: Date) => Math.max(1, Math.ceil((until.getTime() - from.getTime()) / 1000))

/**
 * Counts an attempt for this account before it is tried, so that fifty at once are not fifty tries (R5). The fifth in
 * fifteen minutes closes the account for 1 minute, each further one for 2, 4, 8 and at most 15. The count is kept in the
 * database by account, known or not: a restart forgives nothing and addresses do not matter.
 * Throws ProblemError `too_many_requests` while closed.
 */
async function reserveAttempt(db: Db, emailKey: string, now: Date): Promise<void> {
  if (now.getTime() - prunedAt > PRUNE_EVERY_MS) {
    prunedAt = now.getTime()
    await pruneLoginFailures(db, now)
  }
  if (await reserveLoginAttempt(db, emailKey, now)) return
  const until = await blockedUntil(db, emailKey)
  throw new ProblemError('too_many_requests', { retryAfterSeconds: until ? minutesFrom(now, new Date(until)) : 1 })
}

/** The right password: the account starts afresh. */
async function forgiveAttempts(db: Db, emailKey: string): Promise<void> {
  await forgetLoginFailures(db, emailKey)
}

/**
 * Checks e-mail and password and opens a session, or asks for the second factor of an account that has one.
 * Throws ProblemError `login_failed`, the same for an unknown e-mail, a wrong password and a disabled account (R4), or
 * `too_many_requests` while the account is closed (R5).
 */
export async function login(
  context: LoginContext,
  { email, password }: LoginRequest,
  { deviceToken, userAgent, ...origin }: Origin,
): Promise<LoginOutcome> {
  const { db, now } = context
  const emailKey = emailKeyOf(email)
  try {
    await reserveAttempt(db, emailKey, now())
  } catch (error) {
    if (error instanceof ProblemError) await recordAuditEvent(db, { kind: 'login_blocked', at: now(), ...origin })
    throw error
  }
  const candidate = await findLoginCandidate(db, emailKey)
  const fits = await passwordFits(password, candidate?.passwordHash)
  if (!candidate || !fits || !candidate.mayLogin) {
    const { userId, organisationId } = candidate ?? {}
    await recordAuditEvent(db, { kind: 'login_failed', at: now(), userId, organisationId, ...origin })
    throw new ProblemError('login_failed')
  }
  const { userId, passwordHash } = candidate
  if (isWeakHash(passwordHash)) await replacePasswordHash(db, userId, await hashPassword(password))
  await forgiveAttempts(db, emailKey)
  return afterPassword(context, candidate, { deviceToken, userAgent, ...origin })
}
