import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { newestNotifications } from './notifications.ts'

export type StoredChangePoll = { data_time: string | null; newest: number | null; unread: number }

/** What an open tab asks every 20 seconds: the newest load, the newest notification that the bell lists, and how many are unread. */
export async function loadChangePoll(db: Db, userId: number): Promise<StoredChangePoll> {
  const [answer] = await db.query<StoredChangePoll>(sql`
    select (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      max(n.id) as newest, count(*) filter (where n.read_at is null) as unread
    from (${newestNotifications(sql`${userId}::int`)}) n`)
  return answer!
}
