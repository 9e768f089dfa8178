import type { Terminal } from '#server/cli/terminal.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { readReplication, replicationText } from '#server/platform/engine/postgres/replication.ts'
import { tellOpenDatabases } from './database-encryption.ts'
import type { Settings } from './settings.ts'

/**
 * Logs at startup what an operator should know about the PostgreSQL connection: whether it can be intercepted, whether
 * it uses a pooler that limits some operations, and whether acknowledged writes are replicated.
 */
export async function tellDatabase(db: OpenDb, settings: Settings, terminal: Pick<Terminal, 'log'>): Promise<void> {
  tellOpenDatabases(settings, terminal)
  if (settings.databaseUrl === undefined) return
  const [isPooled, replication] = await Promise.all([db.isPooled(), readReplication(db)]).catch(
    () => [false, undefined] as const,
  )
  if (isPooled && settings.databaseDirectUrl === undefined)
    terminal.log(
      'DATABASE_URL leads through a pooler (PgBouncer): each statement gets a transaction of its own. Set DATABASE_DIRECT_URL to the database itself, or the next version cannot bring the tables up to date, and backups depend on the limits of the pooler.',
    )
  if (settings.databaseDirectUrl !== undefined && !isPooled)
    terminal.log('DATABASE_DIRECT_URL is set, but DATABASE_URL leads through no pooler: it is not needed.')
  if (replication) terminal.log(`เครื่องสำรองที่ได้ข้อมูลก่อนตอบรับ (synchronous): ${replicationText(replication)}`)
}
