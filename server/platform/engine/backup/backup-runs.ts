import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type BackupKind = 'file' | 'base' | 'drill'

const MAX_RUNS = 100

/**
 * Records a finished backup. Never rejects: the backup exists even if the database has an older schema or a full disk.
 */
export async function recordBackup(
  db: Db,
  { kind, bytes, seconds }: { readonly kind: BackupKind; readonly bytes?: number; readonly seconds: number },
): Promise<void> {
  await db
    .transaction(async (tx) => {
      const [runsTable] = await tx.query<{ is: boolean }>(sql`select to_regclass('backup_runs') is not null as is`)
      if (runsTable?.is !== true) return
      await tx.execute(
        sql`insert into backup_runs (kind, bytes, seconds) values (${kind}, ${bytes ?? null}::bigint, ${seconds}::real)`,
      )
      await tx.execute(
        sql`delete from backup_runs where id <= (select id from backup_runs order by id desc offset ${MAX_RUNS}::int limit 1)`,
      )
    })
    .catch(() => undefined)
}

export type WalArchiveStatus = { readonly archivedAt: string | null; readonly isFailing: boolean }

export async function listRecordedBackups(db: Db): Promise<{ readonly kind: BackupKind; readonly endedAt: string }[]> {
  return await db.query(sql`select kind, max(ended_at) as "endedAt" from backup_runs group by kind`)
}

/** Returns the state of WAL archiving. `isFailing` is false if archiving is not configured. */
export async function readWalArchiveStatus(db: Db): Promise<WalArchiveStatus> {
  const [row] = await db.query<WalArchiveStatus>(sql`
    select last_archived_time as "archivedAt", coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
    from pg_stat_archiver`)
  return row!
}

export async function readDatabaseSize(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)
  return row!.bytes
}
