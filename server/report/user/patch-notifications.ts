import sql from 'sql-template-tag'
import type { NotificationPatch } from '#contract/account/notification.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { UserPatchHandler } from './user-patch-handler.ts'

/** Ignores unknown ids, because a notification may have been pruned while a tab was open. */
export const notificationHandler: UserPatchHandler = {
  apply: async (tx, { userId }, { notification_updated_status: group }) => {
    if (group?.clickRead !== undefined) await setMarkReadOnClick(tx, userId, group.clickRead)
    if (group?.read_up_to !== undefined) await markNotificationsReadUpTo(tx, userId, Number(group.read_up_to))
    if (group?.notifications) await updateNotificationReadStates(tx, userId, group.notifications)
    return []
  },
}

async function setMarkReadOnClick(tx: Db, userId: number, clickRead: boolean): Promise<void> {
  await tx.execute(sql`
    update users set notifications_click_read = ${clickRead}::boolean where id = ${userId}::int`)
}

/**
 * Marks notifications up to this id as read. Notifications that arrived later stay unread: ids increase over time (see
 * the table).
 */
async function markNotificationsReadUpTo(tx: Db, userId: number, id: number): Promise<void> {
  await tx.execute(sql`
    update notifications set read_at = now() where user_id = ${userId}::int and id <= ${id}::bigint and read_at is null`)
}

/** Marks notifications as read or unread. If an id occurs twice, its last entry wins. */
async function updateNotificationReadStates(
  tx: Db,
  userId: number,
  marks: NonNullable<NotificationPatch['notifications']>,
): Promise<void> {
  const states = [...new Map(marks.map(({ id, read }) => [Number(id), read]))].map(([id, read]) => ({ id, read }))
  await tx.execute(sql`
    update notifications n set read_at = case when w.read then now() end
    from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as w (id bigint, read boolean)
    where n.user_id = ${userId}::int and n.id = w.id and (n.read_at is not null) <> w.read`)
}
