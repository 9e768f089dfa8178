import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { IDLE } from './queries.ts'

export type SessionLine = {
  id: string
  userAgent: string | null
  address: string | null
  createdAt: string
  lastSeenAt: string
}

/** Sessions of a user that still work, last used first. */
export async function listSessions(db: Db, userId: number, now: Date): Promise<SessionLine[]> {
  const at = now.toISOString()
  return db.query<SessionLine>(sql`
    select id, user_agent as "userAgent", address, created_at as "createdAt", last_seen_at as "lastSeenAt"
    from sessions
    where user_id = ${userId}::int and revoked_at is null and expires_at > ${at}::timestamptz
      and last_seen_at > ${at}::timestamptz - ${IDLE}::interval
    order by last_seen_at desc, id`)
}

/** Ends one session of this user; false when it is not theirs or is over already. */
export async function endSession(db: Db, userId: number, sessionId: string, now: Date): Promise<boolean> {
  const ended = await db.execute(sql`
    update sessions set revoked_at = ${now.toISOString()}::timestamptz
    where id = ${sessionId} and user_id = ${userId}::int and revoked_at is null`)
  return ended === 1
}

/** Address of a user, for a notice. */
export async function findEmail(db: Db, userId: number): Promise<string | undefined> {
  const rows = await db.query<{ email: string }>(sql`select email from users where id = ${userId}::int`)
  return rows[0]?.email
}
