import { access, mkdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { initialisePersonKeySecret } from '#server/catalogue/feed/person/initialise-person-key-secret.ts'
import { runRemoteCommand } from '#server/cli/run-remote-command.ts'
import { recomputeNormalisedSearchTexts } from '#server/jobs/load/recompute-search-forms.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { FolderInUseError } from '#server/platform/engine/folder-lock.ts'
import { isDatabaseMigrated, migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb, openDirectDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { resolveAuthSecrets } from './auth-secret.ts'
import { getControlSocketPath } from './control-socket-path.ts'
import type { Settings } from './settings.ts'
import { SettingsError } from './settings-error.ts'

class FolderUnusable extends Error {
  override readonly name = 'FolderUnusable'
}

/**
 * Minimum free disk space: an embedded database takes 45 MB and its WAL up to 100 MB; with the demo data it grows to
 * 760 MB.
 */
const MIN_FREE_MB = { none: 200, sample: 1_000 } as const

/**
 * Checks, before the first start of an embedded database, that the folder is writable and the disk large enough. Throws
 * `FolderUnusable`.
 */
async function assertDiskSpace({ databaseUrl, dataDir, seed }: Settings): Promise<void> {
  if (databaseUrl !== undefined) return
  const folder = path.resolve(dataDir)
  const exists = await access(path.join(folder, 'pglite', 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  if (exists) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  const freeMb = Math.floor((bavail * bsize) / 2 ** 20)
  if (freeMb < MIN_FREE_MB[seed])
    throw new FolderUnusable(
      `DATA_DIR: ${folder} has ${freeMb} MB free, and the first start needs ${MIN_FREE_MB[seed]} MB${seed === 'sample' ? ' (200 MB with SEED=none)' : ''}`,
    )
}

/**
 * Opens and migrates the database, bypassing a pooler. Throws `SettingsError` if a migration is due and only a pooled
 * connection is configured: the pooler may abort long statements and leave a half-migrated database.
 */
export async function openMigratedDatabase(settings: Settings): Promise<OpenDb> {
  if (settings.databaseDirectUrl !== undefined) await migrateDirectly(settings)
  const db = await openDb(settings)
  try {
    if (settings.databaseDirectUrl === undefined) {
      if ((await db.isPooled()) && !(await isDatabaseMigrated(db)))
        throw new SettingsError(
          'DATABASE_DIRECT_URL: must be set, because DATABASE_URL points to a pooler (PgBouncer) and the tables have to be migrated to this version',
        )
      await migrateDatabase(db)
    }
    await initialisePersonKeySecret(db, await resolveAuthSecrets(settings))
    await recomputeNormalisedSearchTexts(db, new Date())
    // This process has exclusive access to the folder, so any lease left belongs to a killed process.
    if (db.engine === 'pglite') await releaseAllLeases(db)
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}

async function migrateDirectly(settings: Settings): Promise<void> {
  const direct = await openDirectDb(settings)
  try {
    if (await direct.isPooled())
      throw new SettingsError('DATABASE_DIRECT_URL: points to a pooler (PgBouncer) too; it must point to PostgreSQL')
    await migrateDatabase(direct)
  } finally {
    await direct.close()
  }
}

export async function openServerDatabase(settings: Settings): Promise<OpenDb> {
  await assertDiskSpace(settings)
  return await openMigratedDatabase(settings)
}

export type LocalOrRemoteDatabaseTask<T> = {
  /** If true, skips the migration, because a backup before an upgrade must have the old schema. */
  readonly unmigrated?: true
  runLocally(db: OpenDb): Promise<T>
  readonly remoteCommand: {
    readonly command: string
    readonly args: unknown
    readonly onEvent?: (event: unknown) => void
  }
}

/** Runs the work in this process, or in the running server if the embedded database is open there. */
export async function runLocalOrRemoteDatabaseTask<T>(
  settings: Settings,
  work: LocalOrRemoteDatabaseTask<T>,
): Promise<T> {
  let db: OpenDb
  try {
    // Commands are long transactions (backup, import), so they bypass a pooler.
    const direct = { ...settings, databaseUrl: settings.databaseDirectUrl ?? settings.databaseUrl }
    db = await (work.unmigrated
      ? openDirectDb(settings)
      : openMigratedDatabase({ ...direct, databaseDirectUrl: undefined }))
  } catch (error) {
    if (error instanceof FolderInUseError) return await runInServer(settings, work, error)
    throw error
  }
  try {
    return await work.runLocally(db)
  } finally {
    await db.close()
  }
}

async function runInServer<T>(
  settings: Settings,
  { remoteCommand }: LocalOrRemoteDatabaseTask<T>,
  inUse: FolderInUseError,
): Promise<T> {
  try {
    return (await runRemoteCommand(
      getControlSocketPath(settings.dataDir),
      remoteCommand.command,
      remoteCommand.args,
      remoteCommand.onEvent,
    )) as T
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ECONNREFUSED')
      throw new Error(
        `${inUse.message}, which does not accept commands (yet): it may still be starting, or be another command`,
        { cause: error },
      )
    throw error
  }
}
