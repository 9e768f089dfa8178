import type { IdentityProof } from '#contract/account/second-factor.ts'
import {
  checkSecondFactor,
  listIdentityProofMethods,
  type SecondFactorDependencies,
} from '#server/account/second-factor/check-second-factor.ts'
import { markSessionVerified } from '#server/account/session/queries.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { verifyPassword } from '#server/platform/route/password-hash.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type ActionRateLimit, consumeActionRateLimit } from '#server/platform/route/use-counts.ts'
import { findPasswordHashByUserId } from './queries.ts'

/**
 * Prevents password guessing with a stolen session. Correct passwords count too; ordinary users need only a few
 * confirmations.
 */
const PER_USER: ActionRateLimit = { action: 'password-confirm', maxUses: 10, windowSeconds: 15 * 60, gapSeconds: 0 }

/**
 * Checks the password of a signed-in actor; no other code does so.
 * @throws ProblemError at `password` when it is wrong, `too_many_requests` after ten tries in 15 minutes.
 */
async function confirmPassword(
  { db, now }: Pick<RouteContext, 'db' | 'now'>,
  { userId, organisationId }: Actor,
  password: string,
  origin: { readonly address: string; readonly requestId: string },
): Promise<void> {
  const at = now()
  // Rate limits are stored outside the tenant, so that no tenant can reset its own.
  const wait = await runWithoutTenant(() => consumeActionRateLimit(db, PER_USER, String(userId), at))
  if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
  const owner = await findPasswordHashByUserId(db, userId)
  if (!owner) throw new ProblemError('session_invalid')
  if (!(await verifyPassword(password, owner.passwordHash))) {
    await recordAuditEvent(db, { kind: 'password_confirm_failed', at, userId, organisationId, ...origin })
    throw new ProblemError('bad_input', { text: WRONG_PASSWORD_TEXT, fields: { password: [WRONG_PASSWORD_TEXT] } })
  }
}

const WRONG_PASSWORD_TEXT = 'รหัสผ่านไม่ถูกต้อง'

type ProofParts = SecondFactorDependencies & {
  readonly origin: { readonly address: string; readonly requestId: string }
}

/**
 * Verifies the session holder by the second factor, or by the password without one, because a stolen password does not
 * include the factor. Valid for ten minutes (R64).
 * @throws ProblemError at the wrong field, `too_many_requests` after too many failures.
 */
export async function verifySessionHolderIdentity(
  { origin, ...parts }: ProofParts,
  actor: Actor,
  proof: IdentityProof,
): Promise<void> {
  const { db, now } = parts
  const { userId, organisationId, sessionId } = actor
  const { password, ...answer } = proof
  if ((await listIdentityProofMethods(parts, userId)).includes('password')) {
    if (password === undefined) throw new ProblemError('bad_input')
    await confirmPassword(parts, actor, password, origin)
  } else {
    await checkSecondFactor(parts, userId, answer).catch(async (error: unknown) => {
      if (error instanceof ProblemError) {
        const event = { kind: 'second_factor_failed', at: now(), userId, organisationId, ...origin } as const
        await runWithoutTenant(() => recordAuditEvent(db, event))
      }
      throw error
    })
  }
  await runWithoutTenant(() => markSessionVerified(db, sessionId, now()))
}
