import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'

/** One WAL segment: with less free space the embedded database cannot write. */
const LEAST_FREE_BYTES = 16 * 2 ** 20
/** Minimum interval between checks, and between log lines. */
const CACHED_MS = 1_000
const SAY_EVERY_MS = 60_000

/**
 * Returns a check whether the embedded database's disk is full. Logs when it fills up and when space is free again.
 * Always false without a folder.
 */
export function createDiskWatch(dataDir: string | undefined, log: FastifyBaseLogger): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY
  let saidAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)

  async function look(folder: string): Promise<boolean> {
    const wasFull = await answer
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    const isFull = freeBytes < LEAST_FREE_BYTES
    const at = performance.now()
    const line = { folder: path.resolve(folder), freeMb: Math.floor(freeBytes / 2 ** 20) }
    if (isFull && at - saidAt > SAY_EVERY_MS) {
      saidAt = at
      log.error(line, 'the disk of the database is full: nothing is stored until there is room')
    }
    if (wasFull && !isFull) {
      saidAt = Number.NEGATIVE_INFINITY
      log.warn(line, 'the disk of the database has room again')
    }
    return isFull
  }
  return () => {
    const at = performance.now()
    if (dataDir !== undefined && at - askedAt > CACHED_MS) {
      askedAt = at
      answer = look(dataDir).catch(() => false)
    }
    return answer
  }
}
