import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DbUnavailable } from '#server/platform/engine/db.ts'
import { createWatch, type Watch } from '#server/platform/engine/postgres-watch.ts'
import { parserFor } from '#server/platform/engine/values.ts'
import { askIdleAt } from './ask-idle.ts'
import { findPrimary } from './find-primary.ts'
import type { Hosts } from './hosts.ts'

export const MAX_CONNECTIONS = 10
/** Minimum interval between searches when no server accepted writes, however many callers wait. */
const SEARCH_AGAIN_MS = 250

/** The connection pool of one server. Once `isLost`, all its connections are discarded when they are released. */
export type Way = {
  readonly pool: pg.Pool
  readonly watch: Watch
  /** When it was last confirmed as the right server (`performance.now()`). */
  checkedAt: number
  isLost: boolean
}

export type Ways = {
  /**
   * Returns the current primary, searching for it when unknown. Rejects with `DbUnavailable` when no server accepts
   * writes.
   */
  present(): Promise<Way>
  /**
   * Marks a server as unreachable or read-only, so that the next caller searches. No-op for a single host that may be
   * read-only.
   */
  lose(way: Way): void
  close(): Promise<void>
}

type Options = { readonly connectTimeoutMs: number; readonly watchUrl?: string | undefined }

export function createWays({ urls, readWrite }: Hosts, { connectTimeoutMs, watchUrl }: Options): Ways {
  let present: Way | undefined
  let searching: Promise<Way> | undefined
  let failedAt = Number.NEGATIVE_INFINITY
  const ending: Promise<void>[] = []
  let isClosed = false

  function wayTo(url: string): Way {
    const pool = new pg.Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      // The system default for TCP keepalive on an idle connection is two hours.
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'tamngan',
      types: { getTypeParser: (typeId: number) => parserFor(typeId) } as pg.CustomTypesConfig,
    })
    // Without a listener, an idle connection that breaks would crash the process.
    pool.on('error', () => undefined)
    return { pool, watch: createWatch(askIdleAt(watchUrl ?? url)), checkedAt: performance.now(), isLost: false }
  }

  async function search(): Promise<Way> {
    try {
      await sleep(Math.max(0, failedAt + SEARCH_AGAIN_MS - performance.now()))
      const url = await findPrimary(urls, connectTimeoutMs)
      if (isClosed) throw new DbUnavailable('the database was closed')
      present = wayTo(url)
      return present
    } catch (error) {
      failedAt = performance.now()
      throw error
    } finally {
      searching = undefined
    }
  }

  if (!readWrite) present = wayTo(urls[0]!)
  let closing: Promise<void> | undefined
  return {
    async present() {
      if (present) return present
      searching ??= search()
      return await searching
    },
    lose(way) {
      if (!readWrite || way.isLost) return
      way.isLost = true
      way.watch.stop()
      if (present === way) present = undefined
      ending.push(way.pool.end().catch(() => undefined))
    },
    close() {
      isClosed = true
      closing ??= Promise.all([present?.pool.end(), ...ending]).then(() => undefined)
      return closing
    },
  }
}
