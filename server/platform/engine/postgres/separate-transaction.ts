import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '#server/platform/engine/db.ts'

export type SeparateTransaction = {
  readonly tx: Db
  readonly db: Db
  /** Commits. If one of the statements has failed, rejects and stores nothing. */
  commit(): Promise<void>
  end(): Promise<void>
}

const ROLLED_BACK = new Error('rolled back')

/**
 * Opens a transaction on a separate connection. Its writes run while the caller's main transaction is open and commit
 * after that one. Open it before the main transaction. PostgreSQL only, because the embedded database has a single
 * session.
 */
export async function openSeparateTransaction(db: Db): Promise<SeparateTransaction> {
  if (db.engine !== 'postgres')
    throw new Error('a separate connection requires PostgreSQL: the embedded database has only one session')
  const runOutside = AsyncLocalStorage.snapshot()
  const opened = Promise.withResolvers<Db>()
  const finish = Promise.withResolvers<void>()
  const transaction = db.transaction(
    async (tx) => {
      opened.resolve(tx)
      await finish.promise
    },
    { idleTimeoutMs: 0 },
  )
  transaction.catch((error: unknown) => opened.reject(error))
  const tx = await opened.promise
  return {
    tx,
    db: {
      engine: db.engine,
      query: (statement, options) => runOutside(() => db.query(statement, options)),
      execute: (statement, options) => runOutside(() => db.execute(statement, options)),
      script: (text) => runOutside(() => db.script(text)),
      transaction: (work, options) => runOutside(() => db.transaction(work, options)),
    },
    async commit() {
      finish.resolve()
      await transaction
    },
    async end() {
      finish.reject(ROLLED_BACK)
      await transaction.catch(() => undefined)
    },
  }
}
