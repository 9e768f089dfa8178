import type pg from 'pg'
import { DbUnavailable } from './db.ts'
import type { Engine, Session } from './engine.ts'
import {
  CONNECTION_SETTINGS,
  type ConnectionState,
  isToldBy,
  newConnectionState,
  WHO_ANSWERS,
  type WhoAnswers,
} from './postgres/connection-state.ts'
import { PREPARE_ENTERING } from './postgres/entering-query.ts'
import { readHosts } from './postgres/hosts.ts'
import { createPooledSession } from './postgres/pooled-session.ts'
import { createSession } from './postgres/session.ts'
import { createWays, MAX_CONNECTIONS, type Way } from './postgres/ways.ts'
import { asDbError, CONTROL_LIMIT_MS, createWire } from './postgres/wire.ts'

/** R48 allows 2 s until a 503, including its transit, when the database is down or every connection is in use. */
const CONNECT_TIMEOUT_MS = 1_500
/** A server may stop accepting writes without closing connections, so recheck it before use after this time. */
const CHECK_EVERY_MS = 2_000

type Options = {
  readonly connectTimeoutMs?: number
  /**
   * Where to check unanswered statements; undefined: the address they were sent to. Behind a pooler, the direct
   * address.
   */
  readonly watchUrl?: string | undefined
}

/**
 * Opens PostgreSQL through node-postgres. Throws `DbUnavailable` when a server goes away or gives no connection within
 * `connectTimeoutMs`; the pool reconnects by itself. With several hosts (`postgres/hosts.ts`) it uses whichever
 * currently accepts writes. A pooler (`createPooledSession`) is detected automatically.
 */
export async function openPostgres(
  url: string,
  { connectTimeoutMs = CONNECT_TIMEOUT_MS, watchUrl }: Options = {},
): Promise<Engine> {
  const hosts = readHosts(url)
  const ways = createWays(hosts, { connectTimeoutMs, watchUrl })
  const states = new WeakMap<pg.PoolClient, ConnectionState>()

  async function connect(way: Way, waitMs: number): Promise<pg.PoolClient> {
    const { pool, watch } = way
    for (;;) {
      if (watch.isSilent()) throw new DbUnavailable('the database does not answer')
      let isConnected = false
      const ended = watch.sent(
        undefined,
        () => undefined,
        () => 0,
      )
      try {
        const client = await pool.connect()
        isConnected = states.get(client) === undefined
        const openedAt = states.get(client)?.openedAt
        if (openedAt === undefined || !watch.isFromBefore(openedAt)) return client
        client.release(true)
      } catch (error) {
        // Work without a limit waits for a free connection as long as it takes, but not for a server that is down.
        const isCrowded = pool.totalCount === MAX_CONNECTIONS && !way.isLost
        if (isCrowded && waitMs === 0) continue
        // A full pool does not mean that the server is down.
        if (!isCrowded) ways.lose(way)
        throw asDbError(error)
      } finally {
        ended(isConnected)
      }
    }
  }

  /** Returns undefined if the connection led to a server that is not (or no longer) the primary. */
  async function leaseOn(way: Way, waitMs: number): Promise<Awaited<ReturnType<Engine['lease']>> | undefined> {
    const client = await connect(way, waitMs)
    let isReleased = false
    function release(broken = false): void {
      if (!isReleased) client.release(broken || way.isLost)
      isReleased = true
    }
    const known = states.get(client)
    const state = known ?? newConnectionState()
    const wire = createWire(client, {
      ...{ state, watch: way.watch, drop: () => release(true) },
      foundReadOnly: hosts.readWrite ? () => ways.lose(way) : undefined,
    })
    try {
      if (known === undefined) client.on('error', () => undefined)
      const isChecked = performance.now() - way.checkedAt < CHECK_EVERY_MS || !hosts.readWrite
      if (known === undefined || !isChecked) {
        const { rows } = await wire.send({ text: WHO_ANSWERS }, CONTROL_LIMIT_MS)
        const { pid, read_only } = rows[0] as WhoAnswers
        if (hosts.readWrite && read_only) {
          release(true)
          ways.lose(way)
          return undefined
        }
        way.checkedAt = performance.now()
        if (known === undefined) {
          state.isPooled = !isToldBy(client, pid)
          state.pid = state.isPooled ? undefined : pid
          if (!state.isPooled)
            await wire.send({ text: `${CONNECTION_SETTINGS}; ${PREPARE_ENTERING}` }, CONTROL_LIMIT_MS)
          states.set(client, state)
        }
      }
    } catch (error) {
      release(true)
      throw error
    }
    const session: Session = state.isPooled ? createPooledSession(wire, state) : createSession(wire, state)
    return { session, release, isPooled: state.isPooled }
  }

  async function lease(waitMs: number): ReturnType<Engine['lease']> {
    const startedAt = performance.now()
    for (;;) {
      const way = await ways.present()
      try {
        const found = await leaseOn(way, waitMs)
        if (found) return found
      } catch (error) {
        if (!hosts.readWrite || !(error instanceof DbUnavailable)) throw error
        // A broken old connection or a silent server: nothing was sent yet, so trying the next server is safe.
        if (way.watch.isSilent()) ways.lose(way)
        else if (!way.isLost && way.pool.totalCount === MAX_CONNECTIONS) throw error
      }
      if (performance.now() - startedAt > connectTimeoutMs) throw new DbUnavailable('no server takes writes')
    }
  }

  return { name: 'postgres', lease, close: () => ways.close() }
}
