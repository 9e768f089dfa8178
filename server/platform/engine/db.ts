import type { Sql } from 'sql-template-tag'

/** What is known of an error of either engine; the fields of PostgreSQL's error message. */
export type Refusal = {
  readonly message: string
  readonly code?: string | undefined
  readonly constraint?: string | undefined
}

// 08 connection, 53 out of connections, memory or disk, 57P01-57P04 shutdown, crash, starting up, dropped
const UNAVAILABLE = /^(08|53|57P0[1-4])/
// Every SQLSTATE has a digit; a code of the operating system (EPIPE) has none.
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** The error callers see: a time limit, a database that is away, or a statement that was refused. */
export function toDbError(refusal: Refusal): Error {
  const { code, constraint } = refusal
  // When every address of a host name refuses the connection, the error of Node has a code and no message.
  const message = refusal.message || code || 'no reason was given'
  if (code === '57014') return new QueryTimeout(message)
  if (code === undefined || !SQLSTATE.test(code) || UNAVAILABLE.test(code)) return new DbUnavailable(message)
  return new StatementError(message, code, constraint)
}

/**
 * The one way to the database, over two engines: PGlite in a worker thread and PostgreSQL through node-postgres.
 * Write SQL that PostgreSQL 15 understands; PGlite is PostgreSQL 18.
 *
 * Both engines hand out the same JavaScript values: int8 as a safe integer (or throws), numeric as text, `date` as
 * `YYYY-MM-DD` text, `timestamptz` as UTC ISO text, json parsed, arrays as arrays.
 */
export type Db = {
  readonly engine: 'pglite' | 'postgres'
  /** Rows of one statement. Values travel as parameters, never as text: build with `sql` of `sql-template-tag`. */
  query<T>(statement: Sql, options?: QueryOptions): Promise<T[]>
  /** Runs one statement and answers the number of rows it touched. */
  execute(statement: Sql, options?: QueryOptions): Promise<number>
  /** Runs several statements of trusted text, as migrations are. No parameters, no rows. */
  script(text: string): Promise<void>
  /**
   * Runs `work` in one transaction; it commits when `work` resolves and rolls back when it rejects.
   * `work` must use the `tx` it is given: the outer handle would wait for this transaction for ever on PGlite.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>
}

/**
 * `timeoutMs`: the statement is cancelled after this time and rejects with `QueryTimeout`; 0 means no limit. Default `DEFAULT_TIMEOUT_MS`.
 * `name`: the connection parses and plans the statement once and finds it again by this name. For a statement that is asked all the time and whose
 * text never changes; after some rounds PostgreSQL plans it without looking at the values.
 */
export type QueryOptions = { readonly timeoutMs?: number; readonly name?: string }
/** `idleTimeoutMs`: a transaction that sends nothing for this long is rolled back (watchdog). Default 5,000; 0 switches it off. */
export type TransactionOptions = { readonly readOnly?: boolean; readonly idleTimeoutMs?: number }

export const DEFAULT_TIMEOUT_MS = 15_000

export type ConnectionCounts = { readonly running: number; readonly waiting: number }

/** A database whose owner can close it. */
export type OpenDb = Db & {
  close(): Promise<void>
  /** How many connections (PGlite: turns of its one session) are held now, and how much work waits for one. */
  connections(): ConnectionCounts
  /** Whether the way to PostgreSQL leads through a pooler (PgBouncer). */
  isPooled(): Promise<boolean>
  /** The embedded database in a folder alone: a copy of it as it is now, gone when closed, and how long everybody waited for that. */
  openCopy?(): Promise<{ readonly copy: OpenDb; readonly pausedMs: number }>
}

/** The statement ran longer than it may. HTTP answers 503 `query_too_slow`. */
export class QueryTimeout extends Error {
  override readonly name = 'QueryTimeout'
}

/** The database cannot be reached now (stopped, restarting, no free connection). HTTP answers 503 `unavailable`. */
export class DbUnavailable extends Error {
  override readonly name = 'DbUnavailable'
}

/** There is no primary, and replicas answer questions meanwhile: nothing was changed. HTTP answers 503 `unavailable` and says so. */
export class DbReadOnly extends DbUnavailable {
  override readonly name = 'DbUnavailable'
}

/** The database refused the statement. `code` is PostgreSQL's SQLSTATE (`23505`: already there). Carries no values: they may be personal. */
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
