import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderSecondFactorChangedMail } from '#server/platform/mail/notice-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hasSecondFactor } from './check-second-factor.ts'
import {
  deleteOrphanedRecoveryCodes,
  findSecondFactors,
  findUserEmailAndName,
  lockUser,
  replaceRecoveryCodes,
} from './queries.ts'
import { generateRecoveryCodes } from './recovery-codes.ts'

type Change<T> = {
  readonly what: string
  readonly kind: 'second_factor_added' | 'second_factor_removed' | 'recovery_codes_made'
  readonly answer: T
}

/**
 * Changes the second factors of an account atomically, with the user locked, an audit event and an email to the owner;
 * the only way to do so. `work` throws to reject the change. Call as table owner.
 */
export async function changeSecondFactors<T>(
  { db, mails, now }: Pick<RouteContext, 'db' | 'mails' | 'now'>,
  { userId, organisationId }: Pick<Actor, 'userId' | 'organisationId'>,
  origin: { readonly address: string; readonly requestId: string },
  work: (tx: Db, at: Date) => Promise<Change<T>>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const at = now()
    await lockUser(tx, userId)
    const { what, kind, answer } = await work(tx, at)
    await deleteOrphanedRecoveryCodes(tx, userId)
    await recordAuditEvent(tx, { kind, at, userId, organisationId, ...origin, detail: { what } })
    const owner = await findUserEmailAndName(tx, userId)
    await notifyAccountOwner(tx, mails, {
      ...{ kind: 'second_factor_changed', userId, organisationId, to: owner!.email, at },
      content: (notMeUrl) => renderSecondFactorChangedMail({ at, notMeUrl, what }),
    })
    return answer
  })
}

/**
 * Returns recovery codes for the first factor or on request; null when the account already has a factor. Call before
 * storing the factor.
 */
export async function issueRecoveryCodes(
  tx: Db,
  userId: number,
  at: Date,
  { anew = false }: { anew?: boolean } = {},
): Promise<string[] | null> {
  if (!anew && hasSecondFactor(await findSecondFactors(tx, userId))) return null
  const { displayCodes: codes, hashes } = generateRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, hashes, at)
  return codes
}

export async function assertSecondFactorRemains(tx: Db, userId: number): Promise<void> {
  const factors = await findSecondFactors(tx, userId)
  if (factors.isRequired && !hasSecondFactor(factors))
    throw new ProblemError('bad_input', {
      text: 'องค์กรของคุณกำหนดให้ยืนยันสองขั้น เพิ่มวิธีอื่นก่อน แล้วจึงเอาวิธีนี้ออก',
    })
}
