import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type OutboxRow = { id: number; sealed: string; createdAt: string; state: string }

export async function listOutbox(db: Db): Promise<OutboxRow[]> {
  return db.query<OutboxRow>(sql`
    select id, sealed, created_at as "createdAt", state from mails where sealed is not null order by id desc limit 100`)
}

export async function findInOutbox(db: Db, id: number): Promise<OutboxRow | undefined> {
  const rows = await db.query<OutboxRow>(sql`
    select id, sealed, created_at as "createdAt", state from mails where id = ${id} and sealed is not null`)
  return rows[0]
}
