import { asOwner } from '#server/engine/tenant.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import type { Actor } from '#server/route/actor.ts'
import { passwordFits } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import { reserveUse, type UseLimit } from '#server/route/use-counts.ts'
import { findPasswordOf } from './queries.ts'

/** A stolen session must not become a way to try passwords. Right ones count too; somebody who sets up their programs makes a few keys. */
const PER_USER: UseLimit = { action: 'password-confirm', most: 10, windowSeconds: 15 * 60, gapSeconds: 0 }

/**
 * Asks the actor for their password once more, before what a session alone must not open: the one place for that. Answers their mail address. Throws
 * ProblemError at `password` when it is wrong, `too_many_requests` after ten in a quarter of an hour.
 */
export async function confirmPassword(
  { db, now }: Pick<RouteContext, 'db' | 'now'>,
  { userId, organisationId }: Actor,
  password: string,
  origin: { readonly address: string; readonly requestId: string },
): Promise<{ readonly email: string }> {
  const at = now()
  // What is counted belongs to the server: no tenant may forgive itself.
  const wait = await asOwner(() => reserveUse(db, PER_USER, String(userId), at))
  if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
  const owner = await findPasswordOf(db, userId)
  if (!owner) throw new ProblemError('session_invalid')
  if (!(await passwordFits(password, owner.passwordHash))) {
    await recordAuditEvent(db, { kind: 'password_confirm_failed', at, userId, organisationId, ...origin })
    throw new ProblemError('bad_input', { text: WRONG, fields: { password: [WRONG] } })
  }
  return { email: owner.email }
}

const WRONG = 'รหัสผ่านไม่ถูกต้อง'
