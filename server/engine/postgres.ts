import pg from 'pg'
import { DbUnavailable, DEFAULT_TIMEOUT_MS, QueryTimeout, type Refusal, toDbError } from './db.ts'
import type { Engine, Outcome, Session, Statement } from './engine.ts'
import { ANSWER_WITHIN_MS, type AskIdle, createWatch, type Watch } from './postgres-watch.ts'
import { OWNER_SCOPE } from './tenant.ts'
import { parserFor } from './values.ts'

/** Others than these three do nothing, or are not there; a state that is hidden from us or not kept says nothing. */
const AT_WORK = `
  select pid from pg_stat_activity
  where pid = any($1::int[]) and coalesce(state, 'disabled') not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`

/** Asks over a connection of its own: the open ones may all be broken without a word. */
function askIdleAt(url: string): AskIdle {
  return async (pids) => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      application_name: 'tamngan watch',
    })
    client.on('error', () => undefined)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new DbUnavailable('no answer in time')), ANSWER_WITHIN_MS)
    try {
      const asked = client.connect().then(() => client.query<{ pid: number }>(AT_WORK, [pids]))
      // When it is too late, nobody waits for how it ends.
      asked.catch(() => undefined)
      const atWork = new Set((await Promise.race([asked, late.promise])).rows.map(({ pid }) => pid))
      return new Set(pids.filter((pid) => !atWork.has(pid)))
    } catch (error) {
      throw isSilence(error) ? new DbUnavailable('nobody answers', { cause: error }) : error
    } finally {
      clearTimeout(timer)
      // Not awaited: a connection over which nothing comes back does not end either.
      client.end().catch(() => undefined)
    }
  }
}

/** A refusal, by the database or by its machine, comes from somebody who would have broken the old connections too. */
function isSilence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return error instanceof DbUnavailable || code === undefined || /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code)
}

/** 503 within 2 s when the database is away or every connection is in use (R48), the answer's own way included. */
const CONNECT_TIMEOUT_MS = 1_500
const MAX_CONNECTIONS = 10
/** A server that does not even report a cut statement by then is taken for dead (half-open TCP, R48). */
const SILENCE_AFTER_LIMIT_MS = 2_000
/** `set`, `begin`, `rollback` are answered at once by a server that lives. */
const CONTROL_LIMIT_MS = 1_000

// jit and parallel workers cost more than they save in queries of some milliseconds (a Gather of 2 made an 11 ms scan 23 ms); the rest makes
// values print as `values.ts` reads them. Memoize keeps what is looked up once: filters of a match cost 37 ms of processor time with it and 29 without.
const CONNECTION_SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO'; set jit = off; set max_parallel_workers_per_gather = 0; set enable_memoize = off; set statement_timeout = ${DEFAULT_TIMEOUT_MS}`

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
    // The system's own first look at an idle connection comes after two hours.
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'tamngan',
    types: { getTypeParser: (typeId: number) => parserFor(typeId) } as pg.CustomTypesConfig,
  })
  // Without a listener an idle connection that breaks would end the process.
  pool.on('error', () => undefined)
  const states = new WeakMap<pg.PoolClient, ConnectionState>()
  const watch = createWatch(askIdleAt(url))

  async function connect(waitMs: number): Promise<pg.PoolClient> {
    for (;;) {
      if (watch.isSilent()) throw new DbUnavailable('the database does not answer')
      let isConnected = false
      const ended = watch.sent(undefined, () => undefined)
      try {
        const client = await pool.connect()
        isConnected = states.get(client) === undefined
        const openedAt = states.get(client)?.openedAt
        if (openedAt === undefined || !watch.isFromBefore(openedAt)) return client
        client.release(true)
      } catch (error) {
        // Work without a limit waits for a free connection as long as it takes, but not for a server that is away.
        const isCrowded = pool.totalCount === MAX_CONNECTIONS
        if (isCrowded && waitMs === 0) continue
        throw asDbError(error)
      } finally {
        ended(isConnected)
      }
    }
  }

  async function lease(waitMs: number): ReturnType<Engine['lease']> {
    const client = await connect(waitMs)
    let isReleased = false
    function release(broken = false): void {
      if (!isReleased) client.release(broken)
      isReleased = true
    }
    const known = states.get(client)
    const state = known ?? newConnectionState()
    const session = createSession(client, { state, watch, drop: () => release(true) })
    if (known === undefined) {
      client.on('error', () => undefined)
      try {
        await session.control(CONNECTION_SETTINGS)
        const { rows } = await session.run({ text: 'select pg_backend_pid() as pid', values: [] }, DEFAULT_TIMEOUT_MS)
        state.pid = (rows[0] as { pid: number }).pid
      } catch (error) {
        release(true)
        throw error
      }
      states.set(client, state)
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

/** What a connection has been set to. */
type ConnectionState = {
  /** Its statement_timeout; not a number: unknown. */
  limit: number
  /** What that was before the transaction under way. */
  limitBefore: number
  /** The statement that put it into its present scope. */
  scope: string
  readonly openedAt: number
  /** Number of the database's process at its other end. */
  pid: number | undefined
}

const newConnectionState = (): ConnectionState => ({
  limit: DEFAULT_TIMEOUT_MS,
  limitBefore: DEFAULT_TIMEOUT_MS,
  scope: OWNER_SCOPE,
  openedAt: performance.now(),
  pid: undefined,
})

type SessionParts = { readonly state: ConnectionState; readonly watch: Watch; readonly drop: () => void }

function createSession(client: pg.PoolClient, { state, watch, drop }: SessionParts): Session {
  let dropped = false
  let wanted = state.scope

  async function send(query: pg.QueryConfig, timeoutMs: number): Promise<Outcome> {
    if (dropped) throw new DbUnavailable('the connection was given up')
    const silence = Promise.withResolvers<never>()
    function giveUp(why: Error): void {
      dropped = true
      drop()
      silence.reject(why)
    }
    const answered = watch.sent(state.pid, giveUp)
    let failure: Error | undefined
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
      const sent = client.query<object>(query)
      const result = await Promise.race([sent, silence.promise])
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    } catch (error) {
      failure = asDbError(error)
      throw failure
    } finally {
      clearTimeout(timer)
      answered(!dropped && !(failure instanceof DbUnavailable))
    }
  }

  /** One round trip for both. Never inside a transaction for the scope: it was entered before `begin`. */
  async function prepare(limit: number): Promise<void> {
    const scope = wanted
    const settings: string[] = []
    if (state.scope !== scope) settings.push(scope)
    if (state.limit !== limit) settings.push(`set statement_timeout = ${Math.round(limit)}`)
    if (settings.length === 0) return
    await send({ text: settings.join('; ') }, CONTROL_LIMIT_MS)
    state.scope = scope
    state.limit = limit
  }

  return {
    enter(scope) {
      wanted = scope
    },
    async run(statement, timeoutMs) {
      await prepare(timeoutMs)
      return await send(extendedQuery(statement), timeoutMs)
    },
    async script(text) {
      await prepare(0)
      await send({ text }, 0)
    },
    async control(text) {
      if (text.startsWith('begin')) {
        await prepare(Number.isNaN(state.limit) ? DEFAULT_TIMEOUT_MS : state.limit)
        state.limitBefore = state.limit
      }
      await send({ text }, text === 'commit' ? DEFAULT_TIMEOUT_MS : CONTROL_LIMIT_MS)
      // A rollback also takes back a limit that was set inside the transaction.
      if (text === 'rollback') state.limit = state.limitBefore
      else if (text.startsWith('rollback') && state.limit !== state.limitBefore) state.limit = Number.NaN
    },
  }
}

/** `extended` refuses a second statement in one text also where there are no values, as PGlite does; `@types/pg` does not know the setting. */
function extendedQuery({ text, values, name }: Statement): pg.QueryConfig {
  const query: pg.QueryConfig & { queryMode: 'extended' } = { text, values: [...values], queryMode: 'extended' }
  return name === undefined ? query : { ...query, name }
}

function asDbError(error: unknown): Error {
  if (error instanceof QueryTimeout || error instanceof DbUnavailable) return error
  return toDbError(error as Refusal)
}
