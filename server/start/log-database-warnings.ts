import type { CommandLineOutput } from '#server/cli/terminal.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { formatReplicationStatus, readReplicationStatus } from '#server/platform/engine/postgres/replication.ts'
import { warnAboutInsecureDatabaseHosts } from './database-encryption.ts'
import type { Settings } from './settings.ts'

export async function logDatabaseWarnings(
  db: OpenDb,
  settings: Settings,
  terminal: Pick<CommandLineOutput, 'log'>,
): Promise<void> {
  warnAboutInsecureDatabaseHosts(settings, terminal)
  if (settings.databaseUrl === undefined) return
  const [isPooled, replication] = await Promise.all([db.isPooled(), readReplicationStatus(db)]).catch(
    () => [false, undefined] as const,
  )
  if (isPooled && settings.databaseDirectUrl === undefined)
    terminal.log(
      'DATABASE_URL points to a pooler (PgBouncer): every statement runs in its own transaction. Set DATABASE_DIRECT_URL to the database itself; otherwise the next version cannot migrate the tables, and backups are subject to the limits of the pooler.',
    )
  if (settings.databaseDirectUrl !== undefined && !isPooled)
    terminal.log('DATABASE_DIRECT_URL is set but not needed: DATABASE_URL does not point to a pooler.')
  if (replication) terminal.log(`เครื่องสำรองที่ได้ข้อมูลก่อนตอบรับ (synchronous): ${formatReplicationStatus(replication)}`)
}
