import type { LoginRequest } from '#contract/session.ts'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import { hashPassword, isWeakHash, passwordFits } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import { emailKeyOf } from '#server/text/email-key.ts'
import { forgiveAttempts, reserveAttempt } from './login-throttle.ts'
import { findLoginCandidate, replacePasswordHash } from './queries.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

export type Origin = { readonly address: string; readonly requestId: string; readonly userAgent?: string | undefined }
type LoginContext = { readonly db: Db; readonly sessions: Sessions; now(): Date }

/**
 * Checks e-mail and password and opens a session.
 * Throws ProblemError `login_failed`, the same for an unknown e-mail, a wrong password and a disabled account (R4), or
 * `too_many_requests` while the account is closed (R5).
 */
export async function login(
  { db, sessions, now }: LoginContext,
  { email, password }: LoginRequest,
  origin: Origin,
): Promise<OpenedSession> {
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
  const { userId, organisationId, passwordHash } = candidate
  if (isWeakHash(passwordHash)) await replacePasswordHash(db, userId, await hashPassword(password))
  await forgiveAttempts(db, emailKey)
  const session = await sessions.open({ userId, organisationId, isDemo: false, device: origin })
  await recordAuditEvent(db, { kind: 'login', at: now(), userId, organisationId, ...origin })
  return session
}
