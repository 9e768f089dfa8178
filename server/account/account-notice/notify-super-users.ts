import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { type AccountOwnerNotice, notifyAccountOwner } from './notify-account-owner.ts'

export type SuperUser = { readonly id: number; readonly email: string }

/** Returns the active super users of an organisation. Call as table owner. */
export async function listSuperUsers(db: Db, organisationId: number): Promise<SuperUser[]> {
  return db.query<SuperUser>(sql`
    select id, email from users where organisation_id = ${organisationId}::int and role = 'super_user' and not is_disabled order by id`)
}

type TeamNotice = Omit<AccountOwnerNotice, 'userId' | 'to' | 'content'> & {
  /** The acting user, the only recipient of the "this was not me" link; undefined for an operator. */
  readonly userId: number | undefined
  readonly except?: string | undefined
  content(notMeUrl: string | undefined, by: string): MailContent
}

/** Notifies all super users of an organisation of an action. Call as table owner, in the transaction of the action. */
export async function notifySuperUsers(
  tx: Db,
  mails: OutgoingMailQueue,
  { userId, dedupeKey, except, content, ...notice }: TeamNotice,
): Promise<void> {
  const { organisationId, kind, at } = notice
  const superUsers = await listSuperUsers(tx, organisationId)
  const by = superUsers.find(({ id }) => id === userId)?.email ?? ''
  for (const { id, email: to } of superUsers.filter(({ email }) => email !== except)) {
    const key = dedupeKey === undefined ? {} : { dedupeKey: `${dedupeKey}:${id}` }
    if (id === userId)
      await notifyAccountOwner(tx, mails, {
        ...notice,
        ...key,
        userId: id,
        to,
        content: (notMeUrl) => content(notMeUrl, by),
      })
    else await mails.queue(tx, { kind, to, content: content(undefined, by), ...key, organisationId, userId: id }, at)
  }
}
