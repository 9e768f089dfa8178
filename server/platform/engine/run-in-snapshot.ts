import type { Db, OpenDb } from './db.ts'

/** `pausedMs`: how long other work was blocked; undefined when it was not. */
export type SnapshotResult<T> = { readonly result: T; readonly pausedMs: number | undefined }

let isCopying = false

/**
 * Runs `work` on a consistent snapshot of the whole database. On PostgreSQL that is one transaction that blocks no
 * other work. The embedded database has a single session: with `alongside`, its folder is copied (docs/reliability.md),
 * other work waits only during the copy, and `work` reads the copy. Without `alongside`, `work` reads the database
 * itself.
 */
export async function runInSnapshot<T>(
  db: OpenDb,
  { alongside }: { alongside: boolean },
  work: (tx: Db) => Promise<T>,
): Promise<SnapshotResult<T>> {
  const read = (from: Db) => from.transaction(work, { readOnly: true, idleTimeoutMs: 0 })
  if (!alongside || db.openCopy === undefined) return { result: await read(db), pausedMs: undefined }
  if (isCopying) throw new Error('a copy of the database is already in progress: wait until it is done')
  isCopying = true
  try {
    const { copy, pausedMs } = await db.openCopy()
    try {
      return { result: await read(copy), pausedMs }
    } finally {
      await copy.close()
    }
  } finally {
    isCopying = false
  }
}
