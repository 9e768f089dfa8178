import pg from 'pg'
import { DbUnavailable, DEFAULT_TIMEOUT_MS, QueryTimeout } from './db.ts'
import type { Engine, Outcome, Parameter, Session } from './engine.ts'
import { type Refusal, toDbError } from './refusal.ts'
import { parserFor } from './values.ts'

/** 503 within 2 s when the database is away or every connection is in use (R48). */
const CONNECT_TIMEOUT_MS = 2_000
const MAX_CONNECTIONS = 10
/** A server that does not even report a cut statement by then is taken for dead (half-open TCP, R48). */
const SILENCE_AFTER_LIMIT_MS = 2_000
/** `set`, `begin`, `rollback` are answered at once by a server that lives. */
const CONTROL_LIMIT_MS = 1_000

// jit and parallel workers cost more than they save in queries of some milliseconds (a Gather of 2 made an 11 ms scan 23 ms); the rest makes
// values print as `values.ts` reads them.
const CONNECTION_SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off; set max_parallel_workers_per_gather = 0; set statement_timeout = ${DEFAULT_TIMEOUT_MS}`

/**
 * PostgreSQL through node-postgres. A server that goes away, or gives no connection within `connectTimeoutMs`, is met with
 * `DbUnavailable`; the pool finds it again by itself.
 */
export async function openPostgres(
  url: string,
  { connectTimeoutMs = CONNECT_TIMEOUT_MS }: { connectTimeoutMs?: number } = {},
): Promise<Engine> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: 'tamngan',
    types: { getTypeParser: (typeId: number) => parserFor(typeId) } as pg.CustomTypesConfig,
  })
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', () => undefined)
  /** The statement_timeout each connection has now; unknown after a rollback, which takes a `set` back. */
  const limits = new WeakMap<pg.PoolClient, number>()

  async function connect(waitMs: number): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await pool.connect()
      } catch (error) {
        // Work without a limit waits for a free connection as long as it takes, but not for a server that is away.
        const isCrowded = pool.totalCount === MAX_CONNECTIONS
        if (isCrowded && waitMs === 0) continue
        throw asDbError(error)
      }
    }
  }

  async function lease(waitMs: number): ReturnType<Engine['lease']> {
    const client = await connect(waitMs)
    let held = true
    function release(broken = false): void {
      if (held) client.release(broken)
      held = false
    }
    const session = createSession(client, limits, () => release(true))
    if (!limits.has(client)) {
      client.on('error', () => undefined)
      try {
        await session.control(CONNECTION_SETTINGS)
      } catch (error) {
        release(true)
        throw error
      }
      limits.set(client, DEFAULT_TIMEOUT_MS)
    }
    return { session, release }
  }

  let ending: Promise<void> | undefined
  function close(): Promise<void> {
    ending ??= pool.end()
    return ending
  }

  return { name: 'postgres', lease, close }
}

function createSession(client: pg.PoolClient, limits: WeakMap<pg.PoolClient, number>, drop: () => void): Session {
  let dropped = false

  async function send(text: string, values: readonly Parameter[] | undefined, timeoutMs: number): Promise<Outcome> {
    if (dropped) throw new DbUnavailable('the connection was given up')
    const silence = Promise.withResolvers<never>()
    const timer =
      timeoutMs === 0
        ? undefined
        : setTimeout(() => {
            dropped = true
            drop()
            silence.reject(
              new QueryTimeout(
                `the database was silent ${SILENCE_AFTER_LIMIT_MS} ms after the limit of ${timeoutMs} ms`,
              ),
            )
          }, timeoutMs + SILENCE_AFTER_LIMIT_MS)
    try {
      const sent = client.query<object>(values === undefined ? { text } : extendedQuery(text, values))
      const result = await Promise.race([sent, silence.promise])
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    } catch (error) {
      throw asDbError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  async function setLimit(timeoutMs: number): Promise<void> {
    if (limits.get(client) === timeoutMs) return
    await send(`set statement_timeout = ${Math.round(timeoutMs)}`, undefined, CONTROL_LIMIT_MS)
    limits.set(client, timeoutMs)
  }

  return {
    async run(text, values, timeoutMs) {
      await setLimit(timeoutMs)
      return await send(text, values, timeoutMs)
    },
    async script(text) {
      await setLimit(0)
      await send(text, undefined, 0)
    },
    async control(text) {
      await send(text, undefined, text === 'commit' ? DEFAULT_TIMEOUT_MS : CONTROL_LIMIT_MS)
      // A rollback also takes back a limit that was set inside the transaction: the next statement sets it again.
      if (text.startsWith('rollback') && limits.get(client) !== DEFAULT_TIMEOUT_MS) limits.set(client, Number.NaN)
    },
  }
}

/** `extended` refuses a second statement in one text also where there are no values, as PGlite does; `@types/pg` does not know the setting. */
function extendedQuery(text: string, values: readonly Parameter[]): pg.QueryConfig {
  const query: pg.QueryConfig & { queryMode: 'extended' } = { text, values: [...values], queryMode: 'extended' }
  return query
}

function asDbError(error: unknown): Error {
  if (error instanceof QueryTimeout || error instanceof DbUnavailable) return error
  return toDbError(error as Refusal)
}
