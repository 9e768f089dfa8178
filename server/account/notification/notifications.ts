import sql, { type Sql } from 'sql-template-tag'
import { MAX_NOTIFICATIONS } from '#contract/account/notification.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Selects the newest notifications shown to a user: at most `MAX_NOTIFICATIONS`, newest first, excluding projects
 * hidden since. Listing and counting share this query so that they always agree.
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
/** A load creates about ten thousand; deleting this many takes a tenth of a second. */
const AT_ONCE = 10_000

/**
 * Deletes notifications older than 90 days in batches, so that no query waits behind it. Warnings do not recur, because
 * their dates are past.
 */
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
