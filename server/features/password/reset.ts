import { createHash, randomBytes } from 'node:crypto'
import { DEMO_ORGANISATION_CODE } from '#contract/account/organisation.ts'
import { RESET_LIFE_SECONDS } from '#contract/account/password.ts'
import type { ResetConfirm } from '#contract/account/password-form.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import { passwordResetMail } from '#server/mail/account-mails.ts'
import { paddedTime } from '#server/route/padded-time.ts'
import { hashPassword } from '#server/route/password-hash.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import { reserveUse, type UseLimit } from '#server/route/use-counts.ts'
import { emailKeyOf } from '#server/text/email-key.ts'
import { hiddenEmail } from '#server/text/hidden-email.ts'
import { setNewPassword } from './new-password.ts'
import { type FoundReset, findReset, findResetOwner, insertReset, useReset } from './queries.ts'
import { refuseGuessable } from './refuse-guessable.ts'

export type Origin = { readonly address: string; readonly requestId: string }

/** R20: once a minute and five times an hour for an address, whether or not anybody has it. */
const PER_ADDRESS: UseLimit = { action: 'reset-mail', most: 5, windowSeconds: 60 * 60, gapSeconds: 60 }

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/**
 * Mails a link when the address has an account; the caller answers the same either way, and in the same time (R20). Throws ProblemError
 * `too_many_requests`, also the same either way.
 */
export async function requestReset({ db, now, mails }: RouteContext, email: string, origin: Origin): Promise<void> {
  await paddedTime(async () => {
    const emailKey = emailKeyOf(email)
    const at = now()
    const wait = await reserveUse(db, PER_ADDRESS, emailKey, at)
    if (wait > 0) {
      const minutes = Math.ceil(wait / 60)
      throw new ProblemError('too_many_requests', {
        text: `เพิ่งขอลิงก์ไป ดูในกล่องอีเมลและกล่องจดหมายขยะก่อน ขอใหม่ได้ในอีก ${minutes} นาที`,
        retryAfterSeconds: wait,
      })
    }
    const owner = await findResetOwner(db, emailKey, DEMO_ORGANISATION_CODE)
    if (!owner) return
    const { userId, organisationId } = owner
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(at.getTime() + RESET_LIFE_SECONDS * 1000)
    const content = passwordResetMail({ url: mails.link(`/reset-password/${token}`), minutes: RESET_LIFE_SECONDS / 60 })
    await db.transaction(async (tx) => {
      await insertReset(tx, { tokenHash: hashOf(token), userId, at, expiresAt })
      await mails.queue(
        tx,
        { kind: 'password_reset', to: owner.email, content, notAfter: expiresAt, userId, organisationId },
        at,
      )
      await recordAuditEvent(tx, { kind: 'password_reset_requested', at, userId, organisationId, ...origin })
    })
  })
}

/** The address of a link's account, its middle hidden. Throws ProblemError that says what to do when the link does not work. */
export async function verifyReset({ db, now }: RouteContext, token: string): Promise<string> {
  return hiddenEmail(usable(await findReset(db, hashOf(token), now())).email)
}

/** Sets the password by a link, once; every session of the user ends (R12). Throws ProblemError for the link or at `new_password`. */
export async function confirmReset(
  { db, now, mails }: RouteContext,
  token: string,
  { new_password }: ResetConfirm,
  origin: Origin,
): Promise<void> {
  const tokenHash = hashOf(token)
  const owner = usable(await findReset(db, tokenHash, now()))
  refuseGuessable(new_password, owner)
  const passwordHash = await hashPassword(new_password)
  const at = now()
  await db.transaction(async (tx) => {
    if (!(await useReset(tx, tokenHash, at))) throw linkProblem('reset_link_used')
    await setNewPassword(tx, mails, { userId: owner.userId, passwordHash, at, kind: 'password_reset', ...origin })
  })
}

function usable(reset: FoundReset | undefined): FoundReset {
  if (!reset) throw linkProblem('reset_link_unknown')
  if (reset.isUsed) throw linkProblem('reset_link_used')
  if (reset.isOver) throw linkProblem('reset_link_expired')
  return reset
}

const linkProblem = (code: 'reset_link_unknown' | 'reset_link_used' | 'reset_link_expired') => new ProblemError(code)
