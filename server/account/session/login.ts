import type { LoginRequest } from '#contract/account/session.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hashPassword, isWeakPasswordHash, verifyPassword } from '#server/platform/route/password-hash.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { toEmailKey } from '#server/platform/text/email.ts'
import { isDeviceKnownForEmail } from './devices.ts'
import {
  clearLoginFailures,
  findLoginBlockEndTime,
  findLoginCandidate,
  pruneLoginFailures,
  replacePasswordHash,
  reserveLoginAttempt,
} from './queries.ts'
import { continueLoginAfterFirstStep, type LoginContext, type LoginOrigin, type LoginOutcome } from './second-step.ts'

const PRUNE_INTERVAL_MS = 60 * 60 * 1000
let prunedAt = 0

const minutesFrom = (from: Date, until: Date) => Math.max(1, Math.ceil((until.getTime() - from.getTime()) / 1000))

/**
 * Returns the key for counting failures: the account, or the account in a browser where its owner has logged in before.
 * An attacker who knows only the email address can lock out strangers but not the owner's own browser; a guessing
 * browser is locked just as quickly by its own count.
 */
async function attemptKey(db: Db, emailKey: string, deviceToken: string | undefined): Promise<string> {
  return (await isDeviceKnownForEmail(db, emailKey, deviceToken)) ? `${hashSecret(deviceToken!)} ${emailKey}` : emailKey
}

/**
 * Counts an attempt before checking the password, so that parallel attempts cannot exceed the limit (R5). The fifth
 * within fifteen minutes locks the account for 1 minute, each further one for 2, 4, 8 and at most 15. Counts are stored
 * per account, existing or not, so they survive restarts and ignore network addresses.
 * @throws ProblemError `too_many_requests` while locked.
 */
async function reserveAttempt(db: Db, key: string, now: Date): Promise<void> {
  if (now.getTime() - prunedAt > PRUNE_INTERVAL_MS) {
    prunedAt = now.getTime()
    await pruneLoginFailures(db, now)
  }
  if (await reserveLoginAttempt(db, key, now)) return
  const until = await findLoginBlockEndTime(db, key)
  throw new ProblemError('too_many_requests', { retryAfterSeconds: until ? minutesFrom(now, new Date(until)) : 1 })
}

/**
 * Checks e-mail and password, then opens a session or requests the second factor.
 * @throws ProblemError `login_failed`, the same for an unknown e-mail, a wrong password and a disabled account (R4), or
 * `too_many_requests` while the account is locked (R5).
 */
export async function logInWithPassword(
  context: LoginContext,
  { email, password }: LoginRequest,
  { deviceToken, userAgent, ...origin }: LoginOrigin,
): Promise<LoginOutcome> {
  const { db, now } = context
  const emailKey = toEmailKey(email)
  const key = await attemptKey(db, emailKey, deviceToken)
  try {
    await reserveAttempt(db, key, now())
  } catch (error) {
    if (error instanceof ProblemError) await recordAuditEvent(db, { kind: 'login_blocked', at: now(), ...origin })
    throw error
  }
  const candidate = await findLoginCandidate(db, emailKey)
  const isPasswordRight = await verifyPassword(password, candidate?.passwordHash)
  if (!candidate || !isPasswordRight || !candidate.mayLogin) {
    const { userId, organisationId } = candidate ?? {}
    await recordAuditEvent(db, { kind: 'login_failed', at: now(), userId, organisationId, ...origin })
    throw new ProblemError('login_failed')
  }
  const { userId, passwordHash } = candidate
  if (isWeakPasswordHash(passwordHash)) await replacePasswordHash(db, userId, await hashPassword(password))
  if (candidate.mustUseOrganisation) {
    // That the organisation requires its login provider is revealed only after a correct password (R4).
    await clearLoginFailures(db, key)
    throw new ProblemError('organisation_login_required')
  }
  await clearLoginFailures(db, key)
  return continueLoginAfterFirstStep(context, candidate, { deviceToken, userAgent, ...origin })
}
