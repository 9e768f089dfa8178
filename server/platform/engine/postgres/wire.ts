import type pg from 'pg'
import { DbUnavailable, QueryTimeout, type Refusal, StatementError, toDbError } from '#server/platform/engine/db.ts'
import type { Outcome, Statement } from '#server/platform/engine/engine.ts'
import type { Watch } from '#server/platform/engine/postgres-watch.ts'
import { type ConnectionState, receivedBytes } from './connection-state.ts'

/** A server that does not even report a cut statement by then is taken for dead (half-open TCP, R48). */
const SILENCE_AFTER_LIMIT_MS = 2_000
/** `set`, `begin`, `rollback` are answered at once by a server that lives. */
export const CONTROL_LIMIT_MS = 1_000
/** Where PostgreSQL waits for a synchronous standby, as its notices name the place in every language. */
const WAIT_FOR_STANDBY = 'SyncRepWaitForLSN'
/** A statement that writes, where nothing may be written. */
const READ_ONLY = '25006'

export type WireParts = {
  readonly state: ConnectionState
  readonly watch: Watch
  /** Throws the connection away. */
  readonly drop: () => void
  /** The server takes no writes, and one that does is wanted. Undefined where any is. */
  readonly foundReadOnly?: (() => void) | undefined
}

/** Sends a statement in its own way. */
type Sender = (client: pg.PoolClient) => Promise<pg.QueryResult<object>>

/** One connection, on which a statement is answered, refused, or given up because nobody answers. */
export type Wire = {
  /**
   * Sends one statement and waits for its outcome. `query`: a query for node-postgres, or a function that sends one. `timeoutMs` of 0: no limit.
   * `mayBeReadOnly`: the transaction was begun read-only, so a refused write does not mean that the server is a replica.
   */
  send(query: pg.QueryConfig | Sender, timeoutMs: number, options?: { mayBeReadOnly?: boolean }): Promise<Outcome>
}

export function createWire(client: pg.PoolClient, { state, watch, drop, foundReadOnly }: WireParts): Wire {
  let dropped = false

  async function send(
    query: pg.QueryConfig | Sender,
    timeoutMs: number,
    { mayBeReadOnly = false }: { mayBeReadOnly?: boolean } = {},
  ): Promise<Outcome> {
    if (dropped) throw new DbUnavailable('the connection was given up')
    const silence = Promise.withResolvers<never>()
    function giveUp(why: Error): void {
      dropped = true
      drop()
      silence.reject(why)
    }
    const answered = watch.sent(state.pid, giveUp, () => receivedBytes(client))
    let failure: Error | undefined
    // Who ends the wait for the standby lets the commit succeed, with a warning: the change would die with this machine, so it is not acknowledged.
    let isAlone = false
    const note = ({ routine }: { readonly routine?: string | undefined }) => {
      isAlone ||= routine === WAIT_FOR_STANDBY
    }
    client.on('notice', note)
    const timer =
      timeoutMs === 0
        ? undefined
        : setTimeout(() => {
            giveUp(
              new QueryTimeout(
                `the database was silent ${SILENCE_AFTER_LIMIT_MS} ms after the limit of ${timeoutMs} ms`,
              ),
            )
          }, timeoutMs + SILENCE_AFTER_LIMIT_MS)
    try {
      const sent = typeof query === 'function' ? query(client) : client.query<object>(query)
      // Several statements in one text give several results; the last is what was asked for.
      const result = [await Promise.race([sent, silence.promise])].flat().at(-1)!
      if (isAlone) throw new DbUnavailable('no standby has confirmed the change: it may not last')
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    } catch (error) {
      failure = asDbError(error)
      if (foundReadOnly && !mayBeReadOnly && failure instanceof StatementError && failure.code === READ_ONLY) {
        foundReadOnly()
        failure = new DbUnavailable('the server takes no writes any more: another one is the primary, or none is')
      }
      throw failure
    } finally {
      clearTimeout(timer)
      client.off('notice', note)
      answered(!dropped && !(failure instanceof DbUnavailable))
    }
  }

  return { send }
}

/** `extended` refuses a second statement in one text also where there are no values, as PGlite does; `@types/pg` does not know the setting. */
export function extendedQuery({ text, values, name }: Statement): pg.QueryConfig {
  const query: pg.QueryConfig & { queryMode: 'extended' } = { text, values: [...values], queryMode: 'extended' }
  return name === undefined ? query : { ...query, name }
}

export function asDbError(error: unknown): Error {
  if (error instanceof QueryTimeout || error instanceof DbUnavailable) return error
  return toDbError(error as Refusal)
}
