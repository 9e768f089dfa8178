import { tellSuperUsers } from '#server/account/account-notice/tell-super-users.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { accessEndedMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { type AccessCounts, accessTexts, endAccess, organisationsAccess } from './end-access.ts'

type Loss = {
  readonly userId: number
  readonly organisationId: number
  readonly email: string
  readonly occasion: 'closed' | 'demoted' | 'everything'
  readonly at: Date
  /** The session that goes on. */
  readonly keepSession?: string | undefined
}

/**
 * Ends what a person may act with when their account is closed, they are no super user any more, or wish so with a new password, and tells the super users what of the organisation's
 * stopped with it: a key or a webhook may be in use. Call as the owner of the tables, in the transaction of the change.
 */
export async function loseAccess(
  tx: Db,
  mails: OutgoingMail,
  { userId, organisationId, email, occasion, at, keepSession }: Loss,
): Promise<AccessCounts> {
  const counts = await endAccess(tx, userId, { occasion, at, keepSession })
  const ended = accessTexts(organisationsAccess(counts))
  if (ended.length > 0) {
    const content = accessEndedMail({ email, occasion, ended, at, url: mails.link('/settings?tab=team') })
    await tellSuperUsers(tx, mails, {
      kind: 'access_ended',
      userId: undefined,
      organisationId,
      at,
      content: () => content,
    })
  }
  return counts
}
