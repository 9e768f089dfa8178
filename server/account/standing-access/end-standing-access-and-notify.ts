import { notifySuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderAccessRevokedMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import {
  endStandingAccess,
  formatStandingAccessCounts,
  pickOrganisationStandingAccessCounts,
  type StandingAccessCounts,
} from './end-standing-access.ts'

type AccessLoss = {
  readonly userId: number
  readonly organisationId: number
  readonly email: string
  readonly occasion: 'closed' | 'demoted' | 'everything'
  readonly at: Date
  readonly keepSession?: string | undefined
}

/**
 * Ends a user's access after closing, demotion or a password change that requested it, and notifies super users of
 * ended organisation access, since a key or webhook may be in use. Call as table owner, in the transaction of the
 * change.
 */
export async function endStandingAccessAndNotify(
  tx: Db,
  mails: OutgoingMailQueue,
  { userId, organisationId, email, occasion, at, keepSession }: AccessLoss,
): Promise<StandingAccessCounts> {
  const counts = await endStandingAccess(tx, userId, { occasion, at, keepSession })
  const ended = formatStandingAccessCounts(pickOrganisationStandingAccessCounts(counts))
  if (ended.length > 0) {
    const content = renderAccessRevokedMail({ email, occasion, ended, at, url: mails.link('/settings?tab=team') })
    await notifySuperUsers(tx, mails, {
      kind: 'access_ended',
      userId: undefined,
      organisationId,
      at,
      content: () => content,
    })
  }
  return counts
}
