import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DbUnavailable } from '#server/platform/engine/db.ts'
import { createWatch, type Watch } from '#server/platform/engine/postgres-watch.ts'
import { parserFor } from '#server/platform/engine/values.ts'
import { askIdleAt } from './ask-idle.ts'
import { findPrimary } from './find-primary.ts'
import type { Hosts } from './hosts.ts'

export const MAX_CONNECTIONS = 10
/** Nobody took writes: they are not asked again before this, however many wait. */
const SEARCH_AGAIN_MS = 250

/** The way to one server. Once it is `lost`, all its connections are thrown away as they come back. */
export type Way = {
  readonly pool: pg.Pool
  readonly watch: Watch
  /** When it was last seen to be the server that is wanted (`performance.now()`). */
  checkedAt: number
  isLost: boolean
}

export type Ways = {
  /** The way to the server that takes writes now, searched where none is known. Rejects with `DbUnavailable` when none does. */
  present(): Promise<Way>
  /** It led to nobody, or to one that takes no writes: the next who asks searches. Where there is one host, and any is right, nothing happens. */
  lose(way: Way): void
  close(): Promise<void>
}

type Options = { readonly connectTimeoutMs: number; readonly watchUrl?: string | undefined }

/** Keeps the way to the primary of `hosts`, who may change. */
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
      // The system's own first look at an idle connection comes after two hours.
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'tamngan',
      types: { getTypeParser: (typeId: number) => parserFor(typeId) } as pg.CustomTypesConfig,
    })
    // Without a listener an idle connection that breaks would end the process.
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
