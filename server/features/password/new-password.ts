import type { Db } from '#server/engine/db.ts'
import { tellOwner } from '#server/features/account-notice/tell-owner.ts'
import { type PasswordHolder, storeNewPassword } from '#server/features/session/user-sessions.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import { passwordChangedMail } from '#server/mail/notice-mails.ts'
import type { OutgoingMail } from '#server/route/outgoing-mail.ts'
import { ProblemError } from '#server/route/problem.ts'
import { guessableReason } from '#server/text/guessable-password.ts'
import type { PasswordOwner } from './queries.ts'

/** Throws ProblemError at `new_password` when others would guess it from a list or from what is known of its owner (R2). */
export function refuseGuessable(password: string, owner: PasswordOwner): void {
  const known = [owner.email, owner.firstName, owner.lastName, owner.organisationName].filter((text) => text !== null)
  const reason = guessableReason(password, known)
  if (reason !== undefined) throw new ProblemError('bad_input', { text: reason, fields: { new_password: [reason] } })
}

export type NewPassword = {
  readonly userId: number
  readonly passwordHash: string
  readonly at: Date
  /** The session in which it was changed goes on. */
  readonly keepSession?: string | undefined
  readonly kind: 'password_reset' | 'password_changed' | 'password_set_by_admin'
  readonly address: string
  readonly requestId: string
}

/**
 * The one way in which a password changes, whoever asks: sessions end, the trail has a row, the owner gets a mail (R12). Call as the
 * owner of the tables, in a transaction. Undefined when there is no such user.
 */
export async function setNewPassword(
  tx: Db,
  mails: OutgoingMail,
  { kind, address, requestId, ...change }: NewPassword,
): Promise<PasswordHolder | undefined> {
  const holder = await storeNewPassword(tx, change)
  if (!holder) return undefined
  const { userId, organisationId, email } = holder
  const { at } = change
  await recordAuditEvent(tx, { kind, at, userId, organisationId, address, requestId })
  await tellOwner(tx, mails, {
    ...{ kind: 'password_changed', userId, organisationId, to: email, at },
    content: (notMeUrl) => passwordChangedMail({ at, notMeUrl }),
  })
  return holder
}
