import { constants } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createDb } from './create-db.ts'
import type { DatabaseEngine } from './database-engine.ts'
import type { OpenDb } from './db.ts'
import { copyEmptyDatabaseFolder } from './empty-database-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { openPglite } from './pglite.ts'
import { openPostgres } from './postgres.ts'
import { fsyncChangedFiles, fsyncFolderPeriodically } from './sync-folder.ts'

type DatabaseLocation = {
  readonly databaseUrl?: string | undefined
  /** URL of the same database that bypasses a pooler; used to check for lost connections. */
  readonly databaseDirectUrl?: string | undefined
  readonly dataDir: string
}

/**
 * Opens PostgreSQL if there is a URL, otherwise the embedded database in `dataDir`. Rejects with `FolderInUseError` when
 * another process has the folder open, and with `DbUnavailableError` when the server cannot be reached.
 */
export async function openDb({ databaseUrl, databaseDirectUrl, dataDir }: DatabaseLocation): Promise<OpenDb> {
  if (databaseUrl === undefined) return await openFolder(dataDir)
  return createDb(await openPostgres(databaseUrl, { watchUrl: databaseDirectUrl }))
}

/** Opens a database for long transactions and schema changes: bypasses the pooler, if there is one. */
export async function openDirectDb(location: DatabaseLocation): Promise<OpenDb> {
  return await openDb({ ...location, databaseUrl: location.databaseDirectUrl ?? location.databaseUrl })
}

async function openFolder(dataDir: string): Promise<OpenDb> {
  // PGlite creates world-readable files, so the parent folder must block other users.
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const folder = join(dataDir, 'pglite')
  const lock = await lockFolder(folder)
  try {
    const openedAt = Date.now()
    await copyEmptyDatabaseFolder(folder)
    const engine = await openPglite({ folder })
    const regular = fsyncFolderPeriodically(engine, folder)
    async function close(): Promise<void> {
      try {
        await regular.stop()
        await engine.close()
        await fsyncChangedFiles(folder, openedAt)
      } finally {
        await lock.release()
      }
    }
    let closing: Promise<void> | undefined
    return {
      ...createDb(engine),
      openCopy: () => openCopy(engine, folder),
      close() {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Copies the database files. The copy has one consistent state because nothing writes while this function has the only
 * session. The copy recovers on start as after a crash.
 */
async function openCopy(engine: DatabaseEngine, folder: string): Promise<{ copy: OpenDb; pausedMs: number }> {
  const to = `${folder}.copy`
  await rm(to, { recursive: true, force: true })
  const { release } = await engine.lease(0)
  const from = performance.now()
  try {
    // This flag makes copy-on-write clones where the file system supports them.
    await cp(folder, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
  } finally {
    release()
  }
  const pausedMs = performance.now() - from
  const copyEngine = await openPglite({ folder: to })
  async function close(): Promise<void> {
    await copyEngine.close()
    await rm(to, { recursive: true, force: true })
  }
  return { copy: { ...createDb(copyEngine), close }, pausedMs }
}

export async function openMemoryDb(
  snapshot?: Uint8Array<ArrayBuffer>,
): Promise<OpenDb & { snapshot(): Promise<Uint8Array<ArrayBuffer>> }> {
  const engine = await openPglite({ snapshot })
  return { ...createDb(engine), snapshot: () => engine.snapshot() }
}
