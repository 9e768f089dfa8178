import { AsyncLocalStorage } from 'node:async_hooks'
import type { Sql } from 'sql-template-tag'
import type {
  ConnectionLease,
  DatabaseEngine,
  DatabaseSession,
  StatementResult,
  WireStatement,
} from './database-engine.ts'
import {
  type Db,
  DbUnavailableError,
  DEFAULT_QUERY_TIMEOUT_MS,
  type OpenDb,
  type QueryOptions,
  type TransactionOptions,
} from './db.ts'
import { getRemainingTimeMs } from './deadline.ts'
import { toSqlParameter } from './postgres-values.ts'
import { getConnectionScope } from './tenant.ts'

const IDLE_LIMIT_MS = 5_000
const NOT_BEGUN = Symbol('the transaction was not begun')

const statementOf = ({ text, values }: Sql, { name }: QueryOptions): WireStatement => ({
  text,
  values: values.map(toSqlParameter),
  name,
})

type Transaction = {
  run<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** True when even the rollback failed: the connection must not be reused. */
  isBroken(): boolean
  /** True once `work` was called; until then nothing was sent to the database, so a retry is safe. */
  hasBegun(): boolean
}

function createTransaction(engine: Db['engine'], session: DatabaseSession, options: TransactionOptions): Transaction {
  const idleLimit = options.idleTimeoutMs ?? IDLE_LIMIT_MS
  const overdue = Promise.withResolvers<never>()
  overdue.promise.catch(() => undefined)
  let endError: Error | undefined
  let broken = false
  let hasBegun = false
  /**
   * First failure of the transaction: a failed statement aborts the whole transaction, even if `work` swallows the
   * error.
   */
  let failure: Error | undefined
  let lastStatement: Promise<unknown> = Promise.resolve()
  let underway = 0
  let watchdog: NodeJS.Timeout | undefined
  let savepoints = 0

  function watch(): void {
    clearTimeout(watchdog)
    if (idleLimit === 0 || underway > 0 || endError !== undefined) return
    watchdog = setTimeout(() => {
      endError = new Error(`the transaction was idle for ${idleLimit} ms and was rolled back`)
      overdue.reject(endError)
    }, idleLimit)
  }

  function send<T>(statement: () => Promise<T>): Promise<T> {
    underway += 1
    clearTimeout(watchdog)
    const result = lastStatement.then(async () => {
      try {
        if (endError !== undefined) throw endError
        return await statement()
      } catch (error) {
        failure ??= error as Error
        throw error
      } finally {
        underway -= 1
        watch()
      }
    })
    lastStatement = result.catch(() => undefined)
    return result
  }

  function runStatement(statement: Sql, queryOptions: QueryOptions = {}): Promise<StatementResult> {
    const limit = queryOptions.timeoutMs ?? (idleLimit === 0 ? 0 : DEFAULT_QUERY_TIMEOUT_MS)
    return send(() => session.run(statementOf(statement, queryOptions), getRemainingTimeMs(limit)))
  }

  async function savepoint<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    savepoints += 1
    const name = `savepoint_${savepoints}`
    await send(() => session.control(`savepoint ${name}`))
    try {
      const result = await work(handle)
      if (failure !== undefined) throw failure
      await send(() => session.control(`release savepoint ${name}`))
      return result
    } catch (error) {
      await send(() => session.control(`rollback to savepoint ${name}; release savepoint ${name}`))
      failure = undefined
      throw error
    }
  }

  const handle: Db = {
    engine,
    query: async <T>(statement: Sql, queryOptions?: QueryOptions) =>
      (await runStatement(statement, queryOptions)).rows as T[],
    execute: async (statement, queryOptions) => (await runStatement(statement, queryOptions)).affected,
    script: (text) => send(() => session.script(text)),
    transaction: savepoint,
  }

  async function rollBack(): Promise<void> {
    await lastStatement
    try {
      await session.control('rollback')
    } catch {
      broken = true
    }
  }

  async function run<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    try {
      // `repeatable read` gives all statements one snapshot, so a page, its total and its facets agree.
      await session.control(options.readOnly === true ? 'begin isolation level repeatable read read only' : 'begin')
      hasBegun = true
      watch()
      const result = await Promise.race([work(handle), overdue.promise])
      await lastStatement
      if (failure !== undefined) throw failure
      endError = new Error('the transaction is over')
      clearTimeout(watchdog)
      await session.control('commit')
      return result
    } catch (error) {
      endError ??= new Error('the transaction is over')
      clearTimeout(watchdog)
      await rollBack()
      throw error
    }
  }

  return { run, isBroken: () => broken, hasBegun: () => hasBegun }
}

/**
 * The transaction around the running code. Known so that using the outer handle inside it throws instead of deadlocking
 * (R4).
 */
type OuterTransaction = { readonly engine: DatabaseEngine; isOpen: boolean }
const outerTransaction = new AsyncLocalStorage<OuterTransaction>()

/** Implements `Db` (db.ts) on an engine. Contains all behaviour visible to callers, so that both engines share it. */
export function createDb(engine: DatabaseEngine): OpenDb {
  let running = 0
  let waiting = 0

  async function withConnection<T>(waitMs: number, work: (lease: ConnectionLease) => Promise<T>): Promise<T> {
    const outer = outerTransaction.getStore()
    if (outer?.isOpen === true && outer.engine === engine) {
      throw new Error('the outer database handle was used inside a transaction: use the tx passed to the callback')
    }
    // Read the scope before waiting: afterwards the async context is that of the code that released the connection.
    const scope = getConnectionScope()
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

  async function run(statement: Sql, options: QueryOptions = {}): Promise<StatementResult> {
    const limit = options.timeoutMs ?? DEFAULT_QUERY_TIMEOUT_MS
    return withConnection(getRemainingTimeMs(limit), ({ session }) =>
      session.run(statementOf(statement, options), getRemainingTimeMs(limit)),
    )
  }

  /**
   * Runs a transaction. Retries once on another connection if `begin` fails on a broken one. A transaction that has
   * begun is never retried, because it may have committed.
   */
  async function transaction<T>(work: (tx: Db) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const result = await tryTransaction(work, options)
    return result === NOT_BEGUN ? ((await tryTransaction(work, { ...options, isLast: true })) as T) : result
  }

  async function tryTransaction<T>(
    work: (tx: Db) => Promise<T>,
    options: TransactionOptions & { readonly isLast?: true },
  ): Promise<T | typeof NOT_BEGUN> {
    const waitMs = options.idleTimeoutMs === 0 ? 0 : DEFAULT_QUERY_TIMEOUT_MS
    return withConnection(getRemainingTimeMs(waitMs), async (lease) => {
      const current: OuterTransaction = { engine, isOpen: true }
      const tx = createTransaction(engine.name, lease.session, options)
      try {
        return await tx.run((handle) => outerTransaction.run(current, () => work(handle)))
      } catch (error) {
        if (tx.hasBegun() || options.isLast || !(error instanceof DbUnavailableError)) throw error
        return NOT_BEGUN
      } finally {
        current.isOpen = false
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
    isPooled: () => withConnection(DEFAULT_QUERY_TIMEOUT_MS, async (lease) => lease.isPooled === true),
    close: () => engine.close(),
  }
}
