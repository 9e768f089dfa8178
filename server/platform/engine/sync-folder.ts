import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { DatabaseEngine } from './database-engine.ts'
import { splitIntoSlices } from './process-in-batches.ts'

const SYNC_INTERVAL_MS = 60_000
const MAX_WAIT_MS = 5_000

/**
 * PGlite writes through the operating system and never calls fsync (R47). A killed process loses nothing, but a power
 * cut may lose what the kernel had not flushed, about half a minute of writes in any order. So once a minute and on
 * close we run a checkpoint and fsync every changed file with writes paused, which brings the folder on disk to one
 * consistent state. That narrows the gap without closing it: between two rounds the kernel still writes in any order.
 * Use PostgreSQL if every acknowledged write must survive a power cut.
 */
export function fsyncFolderPeriodically(engine: DatabaseEngine, folder: string): { stop(): Promise<void> } {
  let since = Date.now()
  let underway: Promise<void> | undefined

  async function sync(): Promise<void> {
    // Sync most files without blocking, then lease the session, run the checkpoint and sync what changed since.
    if ((await fsyncChangedFiles(folder, since)) === 0) return
    const { session, release } = await engine.lease(MAX_WAIT_MS)
    try {
      await session.script('checkpoint')
      const startedAt = Date.now()
      await fsyncChangedFiles(folder, since)
      since = startedAt
    } finally {
      release()
    }
  }
  function start(): void {
    underway ??= sync()
      .catch(() => undefined)
      .finally(() => {
        underway = undefined
      })
  }

  const timer = setInterval(start, SYNC_INTERVAL_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await underway
    },
  }
}

/** Files flushed concurrently, so that they share the disk wait (972 files of a new database: 0.6 s). */
const MAX_CONCURRENT_SYNCS = 32

export async function fsyncChangedFiles(folder: string, since: number): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let synced = 0
  for (const slice of splitIntoSlices(entries, MAX_CONCURRENT_SYNCS)) {
    const isFlushed = await Promise.all(
      slice.map((entry) => syncIfChanged(path.join(entry.parentPath, entry.name), since)),
    )
    synced += slice.filter((entry, index) => entry.isFile() && isFlushed[index]).length
  }
  return synced
}

async function syncIfChanged(file: string, since: number): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  if (stats === undefined || stats.mtimeMs < since) return false
  const handle = await open(file, 'r').catch(() => undefined)
  await handle?.sync()
  await handle?.close()
  return handle !== undefined
}
