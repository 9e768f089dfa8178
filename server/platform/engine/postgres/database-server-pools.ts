import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type ConnectionWatcher, createConnectionWatcher } from '#server/platform/engine/connection-watch.ts'
import { DbUnavailableError } from '#server/platform/engine/db.ts'
import { getPostgresTypeParser } from '#server/platform/engine/postgres-values.ts'
import { createIdleSessionFinder } from './find-idle-sessions.ts'
import { findPrimary } from './find-primary.ts'
import type { PostgresHosts } from './postgres-hosts.ts'

export const MAX_POOL_CONNECTIONS = 10
/**
 * A new connection parses and plans every statement again. With 10 s, the default, a report page every 15 s used 10 ms of
 * the database's CPU, with this 6 ms.
 */
const IDLE_TIMEOUT_MS = 10 * 60_000
const MIN_SEARCH_INTERVAL_MS = 250

/** The connection pool of one server. Once `isLost`, all its connections are discarded when they are released. */
export type DatabaseServerPool = {
  readonly pool: pg.Pool
  readonly watch: ConnectionWatcher
  /** Time (`performance.now()`) at which this server was last confirmed as the one to use. */
  checkedAt: number
  isLost: boolean
}

export type DatabaseServerPools = {
  current(): Promise<DatabaseServerPool>
  /**
   * Marks a server as unreachable or read-only, so that the next caller searches for the primary. No-op for a single
   * host that may be read-only.
   */
  markLost(server: DatabaseServerPool): void
  close(): Promise<void>
}

type Options = { readonly connectTimeoutMs: number; readonly watchUrl?: string | undefined }

export function createDatabaseServerPools(
  { urls, readWrite }: PostgresHosts,
  { connectTimeoutMs, watchUrl }: Options,
): DatabaseServerPools {
  let current: DatabaseServerPool | undefined
  let searching: Promise<DatabaseServerPool> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  const ending: Promise<void>[] = []
  let isClosed = false

  function openPool(url: string): DatabaseServerPool {
    const pool = new pg.Pool({
      connectionString: url,
      max: MAX_POOL_CONNECTIONS,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      keepAlive: true,
      // Probe an idle connection after 10 s, because the system default is two hours.
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'tamngan',
      types: { getTypeParser: (typeId: number) => getPostgresTypeParser(typeId) } as pg.CustomTypesConfig,
    })
    // Without a listener, an idle connection that breaks would crash the process.
    pool.on('error', () => undefined)
    return {
      pool,
      watch: createConnectionWatcher(createIdleSessionFinder(watchUrl ?? url)),
      checkedAt: performance.now(),
      isLost: false,
    }
  }

  async function search(): Promise<DatabaseServerPool> {
    try {
      await sleep(Math.max(0, failedAt + MIN_SEARCH_INTERVAL_MS - performance.now()))
      const url = await findPrimary(urls, connectTimeoutMs)
      if (isClosed) throw new DbUnavailableError('the database was closed')
      current = openPool(url)
      return current
    } catch (error) {
      failedAt = performance.now()
      throw error
    } finally {
      searching = undefined
    }
  }

  if (!readWrite) current = openPool(urls[0]!)
  let closing: Promise<void> | undefined
  return {
    async current() {
      if (current) return current
      searching ??= search()
      return await searching
    },
    markLost(server) {
      if (!readWrite || server.isLost) return
      server.isLost = true
      server.watch.stop()
      if (current === server) current = undefined
      ending.push(server.pool.end().catch(() => undefined))
    },
    close() {
      isClosed = true
      closing ??= Promise.all([current?.pool.end(), ...ending]).then(() => undefined)
      return closing
    },
  }
}
