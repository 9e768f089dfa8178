import sql from 'sql-template-tag'
import type { NotificationPatch } from '#contract/user/notification.ts'
import type { Db } from '#server/engine/db.ts'

export async function setClickRead(tx: Db, userId: number, clickRead: boolean): Promise<void> {
  await tx.execute(sql`
    update users set notifications_click_read = ${clickRead}::boolean where id = ${userId}::int`)
}

/** Those that came later stay unread: their ids are higher (see the table). */
export async function readNotificationsUpTo(tx: Db, userId: number, id: number): Promise<void> {
  await tx.execute(sql`
    update notifications set read_at = now() where user_id = ${userId}::int and id <= ${id}::bigint and read_at is null`)
}

/** Of an id named twice the last mark counts. */
export async function markNotifications(
  tx: Db,
  userId: number,
  marks: NonNullable<NotificationPatch['notifications']>,
): Promise<void> {
  const wanted = [...new Map(marks.map(({ id, read }) => [Number(id), read]))].map(([id, read]) => ({ id, read }))
  await tx.execute(sql`
    update notifications n set read_at = case when w.read then now() end
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w (id bigint, read boolean)
    where n.user_id = ${userId}::int and n.id = w.id and (n.read_at is not null) <> w.read`)
}
