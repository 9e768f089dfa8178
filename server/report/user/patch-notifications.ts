import sql from 'sql-template-tag'
import type { UserPatchHandler } from './user-patch-handler.ts'

/** Ignores unknown ids, because a notification may have been pruned while a tab was open. */
export const notificationHandler: UserPatchHandler = {
  apply: async (tx, { userId }, { notification_updated_status: group }) => {
    if (!group) return []
    if (group.clickRead !== undefined)
      await tx.execute(
        sql`update users set notifications_click_read = ${group.clickRead}::boolean where id = ${userId}::int`,
      )
    // Notifications that arrived later stay unread: ids increase over time (see the table).
    if (group.read_up_to !== undefined)
      await tx.execute(sql`
        update notifications set read_at = now()
        where user_id = ${userId}::int and id <= ${Number(group.read_up_to)}::bigint and read_at is null`)
    // If an id occurs twice, its last entry wins.
    const readById = new Map(group.notifications?.map(({ id, read }) => [Number(id), read]))
    const states = [...readById].map(([id, read]) => ({ id, read }))
    if (states.length > 0)
      await tx.execute(sql`
        update notifications n set read_at = case when w.read then now() end
        from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as w (id bigint, read boolean)
        where n.user_id = ${userId}::int and n.id = w.id and (n.read_at is not null) <> w.read`)
    return []
  },
}
