import { tellSuperUsers } from '#server/account/account-notice/tell-super-users.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { superUserMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'

type Change = {
  readonly what: 'invited' | 'joined' | 'promoted'
  readonly organisationId: number
  readonly email: string
  /** The acting user; undefined without a session in the organisation. */
  readonly userId?: number | undefined
  readonly sessionId?: string | undefined
  /** Name of the actor, when it is not a super user of the organisation. */
  readonly by?: string | undefined
  readonly at: Date
}

/**
 * Notifies all super users that there is or may be another one. Call as table owner, in the transaction of the change.
 */
export async function tellOfSuperUser(
  tx: Db,
  mails: OutgoingMail,
  { what, organisationId, email, userId, sessionId, by, at }: Change,
): Promise<void> {
  const url = mails.link('/settings?tab=team')
  await tellSuperUsers(tx, mails, {
    ...{ kind: 'super_user_change', organisationId, userId, sessionId, at, except: email },
    content: (notMeUrl, actor) => superUserMail({ what, email, by: by ?? actor, at, url, notMeUrl }),
  })
}
