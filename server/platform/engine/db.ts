import type { Sql } from 'sql-template-tag'

export type DatabaseDriverError = {
  readonly message: string
  readonly code?: string | undefined
  readonly constraint?: string | undefined
}

// Unavailable database: 08 connection; 53 connections, memory, disk; 57P01-57P04 shutdown, crash, startup, dropped.
const UNAVAILABLE = /^(08|53|57P0[1-4])/
// Every SQLSTATE has a digit; an operating system code (EPIPE) has none.
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

export function toDbError(refusal: DatabaseDriverError): Error {
  const { code, constraint } = refusal
  // If every address of a host name rejects the connection, Node's error has a code but no message.
  const message = refusal.message || code || 'no reason was given'
  if (code === '57014') return new QueryTimeoutError(message)
  if (code === undefined || !SQLSTATE.test(code) || UNAVAILABLE.test(code)) return new DbUnavailableError(message)
  return new StatementError(message, code, constraint)
}

/**
 * Database access over two engines: PGlite in a worker thread and PostgreSQL through node-postgres. Write SQL that
 * PostgreSQL 15 understands; PGlite is PostgreSQL 18.
 *
 * Both engines return the same JavaScript values: int8 as a safe integer (or throws), numeric as text, `date` as
 * `YYYY-MM-DD` text, `timestamptz` as UTC ISO text, json parsed, arrays as arrays.
 */
export type Db = {
  readonly engine: 'pglite' | 'postgres'
  /**
   * Returns the rows of one statement. Build it with `sql` of `sql-template-tag`, so that values travel as parameters,
   * never as text.
   */
  query<T>(statement: Sql, options?: QueryOptions): Promise<T[]>
  execute(statement: Sql, options?: QueryOptions): Promise<number>
  /** Runs several statements of trusted text, such as migrations. Takes no parameters and returns no rows. */
  script(text: string): Promise<void>
  /**
   * Runs `work` in one transaction; commits when it resolves and rolls back when it rejects. `work` must use the `tx`
   * it receives: on PGlite the outer handle would deadlock.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
}

/**
 * `timeoutMs`: cancels the statement after this time and rejects with `QueryTimeoutError`; 0 means no limit. Default
 * `DEFAULT_QUERY_TIMEOUT_MS`. `name`: prepares the statement once per connection under this name. Only for frequent
 * statements whose text never changes; after several executions PostgreSQL may use a generic plan that ignores the
 * values.
 */
export type QueryOptions = { readonly timeoutMs?: number; readonly name?: string }
/**
 * `idleTimeoutMs`: rolls back a transaction that sends nothing for this long (watchdog). Default 5,000; 0 disables it.
 */
export type TransactionOptions = { readonly readOnly?: boolean; readonly idleTimeoutMs?: number }

export const DEFAULT_QUERY_TIMEOUT_MS = 15_000

export type ConnectionCounts = { readonly running: number; readonly waiting: number }

export type OpenDb = Db & {
  close(): Promise<void>
  /** Counts the connections in use (PGlite: users of its single session) and the callers waiting for one. */
  connections(): ConnectionCounts
  isPooled(): Promise<boolean>
  /**
   * Opens a copy of the database in its current state, which is deleted on close; `pausedMs` is how long other work was
   * blocked. Defined only for an embedded database in a folder.
   */
  openCopy?(): Promise<{ readonly copy: OpenDb; readonly pausedMs: number }>
}

/** The statement exceeded its time limit. HTTP answers 503 `query_too_slow`. */
export class QueryTimeoutError extends Error {
  override readonly name = 'QueryTimeoutError'
}

/** The database is currently unreachable (stopped, restarting, no free connection). HTTP answers 503 `unavailable`. */
export class DbUnavailableError extends Error {
  override readonly name = 'DbUnavailableError'
}

/**
 * There is no primary and only replicas are available, so the write was not executed. HTTP answers 503 `unavailable`
 * with that reason.
 */
export class DbReadOnlyError extends DbUnavailableError {
  override readonly name = 'DbUnavailableError'
}

/**
 * The database rejected the statement. `code` is PostgreSQL's SQLSTATE (`23505`: unique violation). The message
 * contains no values, which may be personal data.
 */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly code: string
  readonly constraint: string | undefined

  constructor(message: string, code: string, constraint?: string) {
    super(message)
    this.code = code
    this.constraint = constraint
  }
}
