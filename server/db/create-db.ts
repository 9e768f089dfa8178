import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql } from 'sql-template-tag'
import { type Db, DEFAULT_TIMEOUT_MS, type OpenDb, type QueryOptions, type TransactionOptions } from './db.ts'
import { timeLeft } from './deadline.ts'
import type { Engine, Lease, Outcome } from './engine.ts'
import { presentScope } from './tenant.ts'
import { createTransaction } from './transaction.ts'
import { toParameter } from './values.ts'

/** The transaction that the running code is inside of, so that a slip to the outer handle is told instead of waiting for ever (R4). */
type Surrounding = { readonly engine: Engine; open: boolean }
const surrounding = new AsyncLocalStorage<Surrounding>()

/** The `Db` of `db.ts` on one engine. All that callers can notice happens here, once for both engines. */
export function createDb(engine: Engine): OpenDb {
  let running = 0
  let waiting = 0

  /** Someone who sets no time limit on the work also waits for a turn without one; everybody else waits as long as their statement may take. */
  async function withConnection<T>(waitMs: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    const around = surrounding.getStore()
    if (around?.open === true && around.engine === engine) {
      throw new Error(
        'the outer database handle was used inside a transaction: use the tx that the transaction hands over',
      )
    }
    // Read before the turn is waited for: who asks, and not who gave the connection back.
    const scope = presentScope()
    waiting += 1
    const lease = await engine.lease(waitMs).finally(() => {
      waiting -= 1
    })
    running += 1
    try {
      lease.session.enter(scope)
      return await work(lease)
    } finally {
      running -= 1
      lease.release()
    }
  }

  async function run(statement: Sql, options: QueryOptions = {}): Promise<Outcome> {
    const limit = options.timeoutMs ?? DEFAULT_TIMEOUT_MS
    // Asked again when the turn has come: waiting for it used up time.
    return withConnection(timeLeft(limit), ({ session }) =>
      session.run(statement.text, statement.values.map(toParameter), timeLeft(limit)),
    )
  }

  async function transaction<T>(work: (tx: Db) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const waitMs = options.idleTimeoutMs === 0 ? 0 : DEFAULT_TIMEOUT_MS
    return withConnection(timeLeft(waitMs), async (lease) => {
      const inside: Surrounding = { engine, open: true }
      const tx = createTransaction(engine.name, lease.session, options)
      try {
        return await tx.run((handle) => surrounding.run(inside, () => work(handle)))
      } finally {
        inside.open = false
        if (tx.isBroken()) lease.release(true)
      }
    })
  }

  return {
    engine: engine.name,
    query: async <T>(statement: Sql, options?: QueryOptions) => (await run(statement, options)).rows as T[],
    execute: async (statement, options) => (await run(statement, options)).affected,
    script: (text) => withConnection(0, ({ session }) => session.script(text)),
    transaction,
    connections: () => ({ running, waiting }),
    close: () => engine.close(),
  }
}
