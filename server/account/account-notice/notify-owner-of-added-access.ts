import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { type GrantedAccessKind, renderAccessGrantedMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { notifyAccountOwner } from './notify-account-owner.ts'

type AddedAccess = {
  readonly what: GrantedAccessKind
  readonly userId: number
  readonly organisationId: number
  readonly sessionId?: string | undefined
  readonly at: Date
  readonly page: string
  readonly facts?: readonly (readonly [name: string, value: string])[]
}

/**
 * Emails the account's owner that access without a login was added. The email contains a "this was not me" link. Call
 * as table owner, in the transaction that stores the access.
 */
export async function notifyOwnerOfAddedAccess(
  tx: Db,
  mails: OutgoingMailQueue,
  { what, userId, organisationId, sessionId, at, page, facts = [] }: AddedAccess,
): Promise<void> {
  const [owner] = await tx.query<{ email: string }>(sql`select email from users where id = ${userId}::int`)
  await notifyAccountOwner(tx, mails, {
    ...{ kind: what, userId, organisationId, to: owner!.email, at, sessionId },
    content: (notMeUrl) => renderAccessGrantedMail({ what, at, url: mails.link(page), notMeUrl, facts }),
  })
}
