import type pg from 'pg'
import type { DatabaseEngine, DatabaseSession } from './database-engine.ts'
import { DbUnavailableError } from './db.ts'
import {
  type BackendIdentity,
  CONNECTION_SETTINGS,
  type ConnectionState,
  createConnectionState,
  IDENTIFY_BACKEND_SQL,
  matchesConnectPid,
} from './postgres/connection-state.ts'
import { createPooledPostgresSession } from './postgres/create-pooled-postgres-session.ts'
import {
  createDatabaseServerPools,
  type DatabaseServerPool,
  MAX_POOL_CONNECTIONS,
} from './postgres/database-server-pools.ts'
import { parsePostgresHosts } from './postgres/postgres-hosts.ts'
import { createPostgresSession } from './postgres/postgres-session.ts'
import { CONTROL_STATEMENT_TIMEOUT_MS, createPostgresWire, normaliseDbError } from './postgres/postgres-wire.ts'
import { PREPARE_SET_CONNECTION_SCOPE_SQL } from './postgres/scoped-query.ts'

/**
 * Timeout for a connection. R48 allows 2 s until a 503, including its transit, when the database is down or every
 * connection is in use.
 */
const CONNECT_TIMEOUT_MS = 1_500
/**
 * A connection that was last checked longer ago than this is checked again before use, because a server may stop
 * accepting writes without closing its connections.
 */
const CHECK_EVERY_MS = 2_000

type Options = {
  readonly connectTimeoutMs?: number
  /**
   * URL at which to check unanswered statements: behind a pooler, the direct URL of the database. Default: the URL to
   * which the statements were sent.
   */
  readonly watchUrl?: string | undefined
}

/**
 * Opens PostgreSQL through node-postgres. Throws `DbUnavailableError` when a server goes away or gives no connection within
 * `connectTimeoutMs`; the pool reconnects by itself. With several hosts (`postgres/postgres-hosts.ts`) it uses whichever
 * currently accepts writes. A pooler (`createPooledPostgresSession`) is detected automatically.
 */
export async function openPostgres(
  url: string,
  { connectTimeoutMs = CONNECT_TIMEOUT_MS, watchUrl }: Options = {},
): Promise<DatabaseEngine> {
  const hosts = parsePostgresHosts(url)
  const servers = createDatabaseServerPools(hosts, { connectTimeoutMs, watchUrl })
  const states = new WeakMap<pg.PoolClient, ConnectionState>()

  async function connect(server: DatabaseServerPool, waitMs: number): Promise<pg.PoolClient> {
    const { pool, watch } = server
    for (;;) {
      if (watch.isSilent()) throw new DbUnavailableError('the database does not answer')
      let isConnected = false
      const reportResponse = watch.track(
        undefined,
        () => undefined,
        () => 0,
      )
      try {
        const client = await pool.connect()
        isConnected = states.get(client) === undefined
        const openedAt = states.get(client)?.openedAt
        if (openedAt === undefined || !watch.predatesSilence(openedAt)) return client
        client.release(true)
      } catch (error) {
        // Work without a time limit may wait for a free connection indefinitely, but not for a server that is down.
        const isCrowded = pool.totalCount === MAX_POOL_CONNECTIONS && !server.isLost
        if (isCrowded && waitMs === 0) continue
        if (!isCrowded) servers.markLost(server)
        throw normaliseDbError(error)
      } finally {
        reportResponse(isConnected)
      }
    }
  }

  /** Leases a connection of this server. Returns undefined if the server is not (or no longer) the primary. */
  async function leaseOn(
    server: DatabaseServerPool,
    waitMs: number,
  ): Promise<Awaited<ReturnType<DatabaseEngine['lease']>> | undefined> {
    const client = await connect(server, waitMs)
    let isReleased = false
    function release(broken = false): void {
      if (!isReleased) client.release(broken || server.isLost)
      isReleased = true
    }
    const knownState = states.get(client)
    const state = knownState ?? createConnectionState()
    const wire = createPostgresWire(client, {
      ...{ state, watch: server.watch, drop: () => release(true) },
      onReadOnly: hosts.readWrite ? () => servers.markLost(server) : undefined,
    })
    try {
      if (knownState === undefined) client.on('error', () => undefined)
      const isChecked = performance.now() - server.checkedAt < CHECK_EVERY_MS || !hosts.readWrite
      if (knownState === undefined || !isChecked) {
        const { rows } = await wire.send({ text: IDENTIFY_BACKEND_SQL }, CONTROL_STATEMENT_TIMEOUT_MS)
        const { pid, read_only } = rows[0] as BackendIdentity
        if (hosts.readWrite && read_only) {
          release(true)
          servers.markLost(server)
          return undefined
        }
        server.checkedAt = performance.now()
        if (knownState === undefined) {
          state.isPooled = !matchesConnectPid(client, pid)
          state.pid = state.isPooled ? undefined : pid
          if (!state.isPooled)
            await wire.send(
              { text: `${CONNECTION_SETTINGS}; ${PREPARE_SET_CONNECTION_SCOPE_SQL}` },
              CONTROL_STATEMENT_TIMEOUT_MS,
            )
          states.set(client, state)
        }
      }
    } catch (error) {
      release(true)
      throw error
    }
    const session: DatabaseSession = state.isPooled
      ? createPooledPostgresSession(wire, state)
      : createPostgresSession(wire, state)
    return { session, release, isPooled: state.isPooled }
  }

  async function lease(waitMs: number): ReturnType<DatabaseEngine['lease']> {
    const startedAt = performance.now()
    for (;;) {
      const server = await servers.current()
      try {
        const acquired = await leaseOn(server, waitMs)
        if (acquired) return acquired
      } catch (error) {
        if (!hosts.readWrite || !(error instanceof DbUnavailableError)) throw error
        // Broken before use, or a silent server: nothing was sent yet, so trying the next server is safe.
        if (server.watch.isSilent()) servers.markLost(server)
        else if (!server.isLost && server.pool.totalCount === MAX_POOL_CONNECTIONS) throw error
      }
      if (performance.now() - startedAt > connectTimeoutMs) throw new DbUnavailableError('no server accepts writes')
    }
  }

  return { name: 'postgres', lease, close: () => servers.close() }
}
