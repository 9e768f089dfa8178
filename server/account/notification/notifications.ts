import sql, { type Sql } from 'sql-template-tag'
import { MAX_NOTIFICATIONS } from '#contract/account/notification.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * The newest notifications that a user is shown, `MAX_NOTIFICATIONS` at most and newest first; none about projects that the user has hidden since. What
 * lists them and what counts them both read this, so that the two never disagree.
 */
export function newestNotifications(userId: Sql): Sql {
  return sql`
    select n.* from notifications n
    where n.user_id = ${userId} and not exists (
      select from hidden_projects h where h.user_id = n.user_id and h.project_id = n.project_id
    )
    order by n.id desc limit ${MAX_NOTIFICATIONS}::int`
}

const KEPT = '90 days'
/** A load makes some ten thousand; so many go in a tenth of a second. */
const AT_ONCE = 10_000

/** Forgets what was told more than 90 days ago, in steps, so that nobody waits behind it. Warnings cannot come again: their dates are past. */
export async function pruneNotifications(db: Db, now: Date): Promise<void> {
  let gone = AT_ONCE
  while (gone === AT_ONCE) {
    gone = await db.execute(sql`
      delete from notifications where id in (
        select id from notifications where created_at < ${now.toISOString()}::timestamptz - ${KEPT}::interval
        order by created_at limit ${AT_ONCE}::int
      )`)
  }
}
