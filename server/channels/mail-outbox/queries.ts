import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type MailOutboxRow = { id: number; sealed: string; createdAt: string; state: string }

export async function listOutboxMails(db: Db): Promise<MailOutboxRow[]> {
  return db.query<MailOutboxRow>(sql`
    select id, sealed, created_at as "createdAt", state from mails where sealed is not null order by id desc limit 100`)
}

export async function findOutboxMail(db: Db, id: number): Promise<MailOutboxRow | undefined> {
  const rows = await db.query<MailOutboxRow>(sql`
    select id, sealed, created_at as "createdAt", state from mails where id = ${id} and sealed is not null`)
  return rows[0]
}
