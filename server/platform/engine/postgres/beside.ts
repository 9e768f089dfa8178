import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '#server/platform/engine/db.ts'

export type Beside = {
  readonly tx: Db
  /** The database outside any transaction, even while the caller is in one: its writes commit at once. */
  readonly db: Db
  /** Commits. Rejects when one of its statements failed; then nothing is stored. */
  commit(): Promise<void>
  /** Rolls back; no-op after `commit`. */
  end(): Promise<void>
}

const TAKEN_BACK = new Error('taken back')

/**
 * Opens a transaction on a separate connection whose writes run while another transaction is open and commit after it.
 * Open it before that one. PostgreSQL only: the embedded database has one session, which the other transaction
 * occupies.
 */
export async function openBeside(db: Db): Promise<Beside> {
  if (db.engine !== 'postgres') throw new Error('the embedded database has one session')
  const outside = AsyncLocalStorage.snapshot()
  const opened = Promise.withResolvers<Db>()
  const over = Promise.withResolvers<void>()
  const ended = db.transaction(
    async (tx) => {
      opened.resolve(tx)
      await over.promise
    },
    { idleTimeoutMs: 0 },
  )
  ended.catch((error: unknown) => opened.reject(error))
  const tx = await opened.promise
  return {
    tx,
    db: {
      engine: db.engine,
      query: (statement, options) => outside(() => db.query(statement, options)),
      execute: (statement, options) => outside(() => db.execute(statement, options)),
      script: (text) => outside(() => db.script(text)),
      transaction: (work, options) => outside(() => db.transaction(work, options)),
    },
    async commit() {
      over.resolve()
      await ended
    },
    async end() {
      over.reject(TAKEN_BACK)
      await ended.catch(() => undefined)
    },
  }
}
