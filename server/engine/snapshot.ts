import type { Db, OpenDb } from './db.ts'

/** What the reader held others up for; undefined where nobody had to wait. */
export type Snapshot<T> = { readonly result: T; readonly pausedMs: number | undefined }

let isCopying = false

/**
 * Lets `work` read the whole database as it is at one moment, for as long as it takes. On PostgreSQL that is one transaction, and nobody waits. The
 * embedded database has one session: `alongside` others its folder is copied while they wait (files, not rows: docs/reliability.md), and the
 * copy is read; without them it is read itself.
 */
export async function inSnapshot<T>(
  db: OpenDb,
  { alongside }: { alongside: boolean },
  work: (tx: Db) => Promise<T>,
): Promise<Snapshot<T>> {
  const read = (from: Db) => from.transaction(work, { readOnly: true, idleTimeoutMs: 0 })
  if (!alongside || db.openCopy === undefined) return { result: await read(db), pausedMs: undefined }
  if (isCopying) throw new Error('the database is being copied already: wait until that is done')
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
