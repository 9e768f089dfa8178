import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'

/** Size of one WAL segment. With less free space the embedded database cannot write. */
const MIN_FREE_BYTES = 16 * 2 ** 20
const CHECK_INTERVAL_MS = 1_000
const LOG_INTERVAL_MS = 60_000

export function createDiskFullCheck(dataDir: string | undefined, log: FastifyBaseLogger): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let loggedAt = Number.NEGATIVE_INFINITY
  let lastCheck = Promise.resolve(false)

  async function checkFolder(folder: string): Promise<boolean> {
    const wasFull = await lastCheck
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    const isFull = freeBytes < MIN_FREE_BYTES
    const at = performance.now()
    const fields = { folder: path.resolve(folder), freeMb: Math.floor(freeBytes / 2 ** 20) }
    if (isFull && at - loggedAt > LOG_INTERVAL_MS) {
      loggedAt = at
      log.error(fields, 'database disk full: writes are refused until there is free space')
    }
    if (wasFull && !isFull) {
      loggedAt = Number.NEGATIVE_INFINITY
      log.warn(fields, 'database disk has free space again')
    }
    return isFull
  }
  return () => {
    const at = performance.now()
    if (dataDir !== undefined && at - checkedAt > CHECK_INTERVAL_MS) {
      checkedAt = at
      lastCheck = checkFolder(dataDir).catch(() => false)
    }
    return lastCheck
  }
}
