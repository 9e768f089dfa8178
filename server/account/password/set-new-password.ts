import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import {
  endStandingAccess,
  formatStandingAccessCounts,
  type StandingAccessCounts,
} from '#server/account/standing-access/end-standing-access.ts'
import { endStandingAccessAndNotify } from '#server/account/standing-access/end-standing-access-and-notify.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderPasswordChangedMail } from '#server/platform/mail/notice-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findGuessablePasswordReason } from '#server/platform/text/guessable-reason.ts'
import { type PasswordOwner, storePassword, type UpdatedPasswordOwner } from './queries.ts'

/** @throws ProblemError at `new_password` for a password on a common list or derived from the owner's data (R2). */
export function assertPasswordNotGuessable(password: string, owner: PasswordOwner): void {
  const personalTexts = [owner.email, owner.firstName, owner.lastName, owner.organisationName].filter(
    (text) => text !== null,
  )
  const reason = findGuessablePasswordReason(password, personalTexts)
  if (reason !== undefined) throw new ProblemError('bad_input', { text: reason, fields: { new_password: [reason] } })
}

export type NewPassword = {
  readonly userId: number
  readonly passwordHash: string
  readonly at: Date
  readonly keepSession?: string | undefined
  /** Also ends secret links, LINE, API keys and all other access without a login. */
  readonly endsEverything?: boolean
  readonly kind: 'password_reset' | 'password_changed' | 'password_set_by_admin'
  readonly address: string
  readonly requestId: string
}

/**
 * Changes a password; the only way to do so. Ends sessions and other access tied to the old one, records an audit event
 * and emails the owner (R12). Call as table owner, in a transaction. Returns undefined for an unknown user.
 */
export async function setNewPassword(
  tx: Db,
  mails: OutgoingMailQueue,
  { kind, address, requestId, keepSession, endsEverything = false, ...change }: NewPassword,
): Promise<(UpdatedPasswordOwner & { readonly ended: StandingAccessCounts }) | undefined> {
  const holder = await storePassword(tx, change)
  if (!holder) return undefined
  const { userId, organisationId, email } = holder
  const { at } = change
  const ended = endsEverything
    ? await endStandingAccessAndNotify(tx, mails, {
        userId,
        organisationId,
        email,
        occasion: 'everything',
        at,
        keepSession,
      })
    : await endStandingAccess(tx, userId, { occasion: 'password', at, keepSession })
  await recordAuditEvent(tx, { kind, at, userId, organisationId, address, requestId, detail: { ended } })
  await notifyAccountOwner(tx, mails, {
    ...{ kind: 'password_changed', userId, organisationId, to: email, at, sessionId: keepSession },
    content: (notMeUrl) => renderPasswordChangedMail({ at, notMeUrl, ended: formatStandingAccessCounts(ended) }),
  })
  return { ...holder, ended }
}
