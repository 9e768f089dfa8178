import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { newestNotifications } from './notifications.ts'

export type StoredPulse = { data_time: string | null; newest: number | null; unread: number }

/** What an open tab asks every minute: the newest load, and the newest of the notifications that the bell lists with how many of them are unread. */
export async function loadPulse(db: Db, userId: number): Promise<StoredPulse> {
  const [pulse] = await db.query<StoredPulse>(sql`
    select (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      max(n.id) as newest, count(*) filter (where n.read_at is null) as unread
    from (${newestNotifications(sql`${userId}::int`)}) n`)
  return pulse!
}
