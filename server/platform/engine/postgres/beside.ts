import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '#server/platform/engine/db.ts'

/** A transaction that goes on beside others and is ended by hand. */
export type Beside = {
  readonly tx: Db
  /** The database outside of every transaction, also while one is under way around the caller: what it writes is committed at once. */
  readonly db: Db
  /** Commits. Rejects when one of its statements failed; then nothing of it is stored. */
  commit(): Promise<void>
  /** Takes back what it wrote; nothing after `commit`. */
  end(): Promise<void>
}

const TAKEN_BACK = new Error('taken back')

/**
 * Opens a transaction of its own, on a connection of its own, for what belongs behind another transaction: it is written while that one goes on, and committed after it.
 * To be opened before that one. On PostgreSQL alone: the embedded database has one session, which the other transaction holds.
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
