import { notifySuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderNewSuperUserMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'

type Change = {
  readonly what: 'invited' | 'joined' | 'promoted'
  readonly organisationId: number
  readonly email: string
  readonly userId?: number | undefined
  readonly sessionId?: string | undefined
  /** Shown as the author of the change; set only when the actor is not a super user of the organisation. */
  readonly by?: string | undefined
  readonly at: Date
}

/**
 * Notifies all super users that another one was invited, joined or promoted. Call as table owner, in the transaction of
 * the change.
 */
export async function notifySuperUsersOfNewSuperUser(
  tx: Db,
  mails: OutgoingMailQueue,
  { what, organisationId, email, userId, sessionId, by, at }: Change,
): Promise<void> {
  const url = mails.link('/settings?tab=team')
  await notifySuperUsers(tx, mails, {
    ...{ kind: 'super_user_change', organisationId, userId, sessionId, at, except: email },
    content: (notMeUrl, actor) => renderNewSuperUserMail({ what, email, by: by ?? actor, at, url, notMeUrl }),
  })
}
