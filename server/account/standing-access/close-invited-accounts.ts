import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { endStandingAccess } from './end-standing-access.ts'

export type InvitedAccount = {
  readonly id: number
  readonly name: string | null
  readonly email: string
  readonly role: string
}

/**
 * Returns accounts created through invitations that the user has sent since then, transitively. Call as table owner.
 */
async function findInvitedAccounts(tx: Db, userId: number, since: string): Promise<InvitedAccount[]> {
  return tx.query<InvitedAccount>(sql`
    with recursive invited as (
      select ${userId}::int as id, ${since}::timestamptz as since
      union
      select u.id, i.sent_at from invited b join invitations i on i.invited_by = b.id and i.sent_at >= b.since and i.accepted_at is not null
      join users u on u.organisation_id = i.organisation_id and (u.id = i.accepted_by or i.accepted_by is null and u.email_key = i.email_key)
    )
    select u.id, nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, u.email, u.role from users u
    where u.id in (select id from invited) and u.id <> ${userId}::int and not u.is_disabled order by u.id`)
}

/**
 * Closes accounts invited by an intruder until a super user reopens them, because an open one would be the intruder's
 * next session. Call as table owner, in the transaction of the report.
 */
export async function closeInvitedAccounts(
  tx: Db,
  userId: number,
  { since, at }: { readonly since: string; readonly at: Date },
): Promise<InvitedAccount[]> {
  const accounts = await findInvitedAccounts(tx, userId, since)
  for (const { id } of accounts) {
    await tx.execute(sql`update users set is_disabled = true where id = ${id}::int`)
    await endStandingAccess(tx, id, { occasion: 'closed', at })
  }
  return accounts
}
