import type { PasswordChange } from '#contract/password-form.ts'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import { asOwner } from '#server/db/tenant.ts'
import { reserveUse, type UseLimit } from '#server/db/use-counts.ts'
import type { Actor } from '#server/route/actor.ts'
import { setNewPassword } from '#server/route/new-password.ts'
import { hashPassword, passwordFits } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import { findPasswordOf } from './queries.ts'
import { refuseGuessable } from './refuse-guessable.ts'
import type { Origin } from './reset.ts'

/** A stolen session must not become a way to try passwords. Right ones count too: nobody changes theirs so often. */
const PER_USER: UseLimit = { action: 'password-change', most: 5, windowSeconds: 15 * 60, gapSeconds: 0 }

/**
 * Changes the actor's password; every session but this one ends (R12). Throws ProblemError at `current_password` or `new_password`,
 * `too_many_requests` after five tries in a quarter of an hour.
 */
export async function changePassword(
  { db, now, mails }: RouteContext,
  actor: Actor,
  body: PasswordChange,
  origin: Origin,
): Promise<void> {
  const at = now()
  // What is counted belongs to the server: no tenant may forgive itself.
  const wait = await asOwner(() => reserveUse(db, PER_USER, String(actor.userId), at))
  if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
  const owner = await findPasswordOf(db, actor.userId)
  if (!owner) throw new ProblemError('session_invalid')
  if (!(await passwordFits(body.current_password, owner.passwordHash))) {
    const { userId, organisationId } = owner
    await recordAuditEvent(db, { kind: 'password_change_failed', at, userId, organisationId, ...origin })
    throw fieldProblem('current_password', 'รหัสผ่านปัจจุบันไม่ถูกต้อง')
  }
  if (body.new_password === body.current_password) throw fieldProblem('new_password', 'รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านปัจจุบัน')
  refuseGuessable(body.new_password, owner)
  const passwordHash = await hashPassword(body.new_password)
  await db.transaction((tx) =>
    setNewPassword(tx, mails, {
      userId: owner.userId,
      passwordHash,
      at: now(),
      keepSession: actor.sessionId,
      kind: 'password_changed',
      ...origin,
    }),
  )
}

const fieldProblem = (field: string, text: string) =>
  new ProblemError('bad_input', { text, fields: { [field]: [text] } })
