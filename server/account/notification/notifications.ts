import sql, { type Sql } from 'sql-template-tag'
import { MAX_NOTIFICATIONS } from '#contract/account/notification.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Selects the newest notifications shown to a user: at most `MAX_NOTIFICATIONS`, newest first, excluding projects
 * hidden since. Listing and counting share this query so that they always agree.
 */
export function newestNotificationsSql(userId: Sql): Sql {
  return sql`
    select n.* from notifications n
    where n.user_id = ${userId} and not exists (
      select from hidden_projects h where h.user_id = n.user_id and h.project_id = n.project_id
    )
    order by n.id desc limit ${MAX_NOTIFICATIONS}::int`
}

const RETENTION = '90 days'
/** Notifications deleted per statement: a load creates about 10,000, and deleting this many takes 0.1 s. */
const BATCH_SIZE = 10_000

/**
 * Deletes notifications older than 90 days in small batches that never block other queries for long. Deleted warnings
 * do not recur, because their dates are past.
 */
export async function pruneNotifications(db: Db, now: Date): Promise<void> {
  let deletedCount = BATCH_SIZE
  while (deletedCount === BATCH_SIZE) {
    deletedCount = await db.execute(sql`
      delete from notifications where id in (
        select id from notifications where created_at < ${now.toISOString()}::timestamptz - ${RETENTION}::interval
        order by created_at limit ${BATCH_SIZE}::int
      )`)
  }
}
