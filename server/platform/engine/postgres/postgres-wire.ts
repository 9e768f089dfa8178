import type pg from 'pg'
import type { ConnectionWatcher } from '#server/platform/engine/connection-watch.ts'
import type { StatementResult, WireStatement } from '#server/platform/engine/database-engine.ts'
import {
  type DatabaseDriverError,
  DbUnavailableError,
  QueryTimeoutError,
  StatementError,
  toDbError,
} from '#server/platform/engine/db.ts'
import { type ConnectionState, getReceivedByteCount } from './connection-state.ts'

/**
 * If a server has not even reported the cancellation this long after the limit of a statement, it counts as dead
 * (half-open TCP, R48).
 */
const SILENCE_AFTER_LIMIT_MS = 2_000
/** Timeout of `set`, `begin` and `rollback`, which a live server answers at once. */
export const CONTROL_STATEMENT_TIMEOUT_MS = 1_000
/**
 * Name of the function in which PostgreSQL waits for a synchronous standby. Unlike the text of notices, this name is
 * not localised.
 */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'
/** SQLSTATE of a write in a read-only session. */
const READ_ONLY = '25006'

export type PostgresWireDependencies = {
  readonly state: ConnectionState
  readonly watch: ConnectionWatcher
  readonly drop: () => void
  readonly onReadOnly?: (() => void) | undefined
}

type Sender = (client: pg.PoolClient) => Promise<pg.QueryResult<object>>

export type PostgresWire = {
  /**
   * Sends one statement and waits for its result. `query`: a query for node-postgres, or a function that sends one.
   * `timeoutMs` of 0: no limit. `mayBeReadOnly`: the transaction began read-only, so a refused write does not mean that
   * the server is a replica.
   */
  send(
    query: pg.QueryConfig | Sender,
    timeoutMs: number,
    options?: { mayBeReadOnly?: boolean },
  ): Promise<StatementResult>
}

export function createPostgresWire(
  client: pg.PoolClient,
  { state, watch, drop, onReadOnly }: PostgresWireDependencies,
): PostgresWire {
  let isDropped = false

  async function send(
    query: pg.QueryConfig | Sender,
    timeoutMs: number,
    { mayBeReadOnly = false }: { mayBeReadOnly?: boolean } = {},
  ): Promise<StatementResult> {
    if (isDropped) throw new DbUnavailableError('the connection was dropped')
    const silence = Promise.withResolvers<never>()
    function abandon(reason: Error): void {
      isDropped = true
      drop()
      silence.reject(reason)
    }
    const reportResponse = watch.track(state.pid, abandon, () => getReceivedByteCount(client))
    let failure: Error | undefined
    // A cancelled wait for the standby commits with a warning; a failure here would lose it, so do not acknowledge.
    let hasNoStandby = false
    const onNotice = ({ routine }: { readonly routine?: string | undefined }) => {
      hasNoStandby ||= routine === WAIT_FOR_STANDBY
    }
    client.on('notice', onNotice)
    const timer =
      timeoutMs === 0
        ? undefined
        : setTimeout(() => {
            abandon(
              new QueryTimeoutError(
                `the database did not respond within ${SILENCE_AFTER_LIMIT_MS} ms after the limit of ${timeoutMs} ms`,
              ),
            )
          }, timeoutMs + SILENCE_AFTER_LIMIT_MS)
    try {
      const response = typeof query === 'function' ? query(client) : client.query<object>(query)
      const result = [await Promise.race([response, silence.promise])].flat().at(-1)!
      if (hasNoStandby) throw new DbUnavailableError('no standby confirmed the change: it may be lost')
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    } catch (error) {
      failure = normaliseDbError(error)
      if (onReadOnly && !mayBeReadOnly && failure instanceof StatementError && failure.code === READ_ONLY) {
        onReadOnly()
        failure = new DbUnavailableError(
          'the server no longer accepts writes: another server is the primary, or there is none',
        )
      }
      throw failure
    } finally {
      clearTimeout(timer)
      client.off('notice', onNotice)
      reportResponse(!isDropped && !(failure instanceof DbUnavailableError))
    }
  }

  return { send }
}

/**
 * Returns a query in the mode `extended`, which refuses a second statement in one text even without values, as PGlite
 * does; `@types/pg` lacks the setting.
 */
export function toExtendedQuery({ text, values, name }: WireStatement): pg.QueryConfig {
  const query: pg.QueryConfig & { queryMode: 'extended' } = { text, values: [...values], queryMode: 'extended' }
  return name === undefined ? query : { ...query, name }
}

export function normaliseDbError(error: unknown): Error {
  if (error instanceof QueryTimeoutError || error instanceof DbUnavailableError) return error
  return toDbError(error as DatabaseDriverError)
}
