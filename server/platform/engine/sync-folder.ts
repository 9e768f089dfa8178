import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Engine } from './engine.ts'
import { slicesOf } from './in-batches.ts'

const EVERY_MS = 60_000
/** Somebody's long transaction is no reason to queue up: the next round will do. */
const TURN_WAIT_MS = 5_000

/**
 * PGlite writes through the operating system and never calls fsync (R47), so a killed process loses nothing, but a power cut may
 * lose what the kernel had not written yet, half a minute or so, in any order. Decision: once a minute, and at the end, a checkpoint and an
 * fsync of every changed file, while nobody writes, bring the folder on disk to one consistent moment. That narrows the gap; it does not close
 * it: between two rounds the kernel writes as it likes. Whoever needs every acknowledged write to survive a power cut runs PostgreSQL.
 */
export function syncRegularly(engine: Engine, folder: string): { stop(): Promise<void> } {
  let since = Date.now()
  let underway: Promise<void> | undefined

  async function sync(): Promise<void> {
    // Most of it without holding anybody up; the rest, and what the checkpoint writes, while we have the database to ourselves.
    if ((await syncChanged(folder, since)) === 0) return
    const { session, release } = await engine.lease(TURN_WAIT_MS)
    try {
      await session.script('checkpoint')
      const startedAt = Date.now()
      await syncChanged(folder, since)
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

  const timer = setInterval(start, EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await underway
    },
  }
}

/** Files that are flushed side by side, so that they wait for the disk together (972 files of a new database: 0.6 s). */
const AT_ONCE = 32

/** Flushes every file under `folder` that was written after `since` (ms) to the disk, and answers how many there were. */
export async function syncChanged(folder: string, since: number): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let synced = 0
  for (const slice of slicesOf(entries, AT_ONCE)) {
    const isFlushed = await Promise.all(
      slice.map((entry) => syncWhenChanged(path.join(entry.parentPath, entry.name), since)),
    )
    synced += slice.filter((entry, index) => entry.isFile() && isFlushed[index]).length
  }
  return synced
}

async function syncWhenChanged(file: string, since: number): Promise<boolean> {
  const written = await stat(file).catch(() => undefined)
  // Gone again since it was listed, or as it was.
  if (written === undefined || written.mtimeMs < since) return false
  const handle = await open(file, 'r').catch(() => undefined)
  await handle?.sync()
  await handle?.close()
  return handle !== undefined
}
