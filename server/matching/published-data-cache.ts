import type { Db } from '#server/platform/engine/db.ts'
import { memoizePerDatabaseSchema, runInCallerSchema } from '#server/platform/engine/tenant.ts'
import { findLatestPublishedDataLoad } from './queries/impact.ts'

type PublishedDataCacheOptions<T> = {
  readonly now: () => Date
  readonly ttlMs: number
  /** `load` is the id of the latest load; undefined before the first. */
  readonly read: (load: number | undefined) => Promise<T>
}

/**
 * Caches what `read` derives from published projects for `ttlMs`, and then until a newer load is published. All
 * organisations that read the same tables share an entry, and concurrent callers share one read.
 */
export function createPublishedDataCache<T>(db: Db, options: PublishedDataCacheOptions<T>): () => Promise<T> {
  const cache = memoizePerDatabaseSchema(() => createCache(db, options))
  return () => cache()()
}

function createCache<T>(db: Db, { now, ttlMs, read }: PublishedDataCacheOptions<T>): () => Promise<T> {
  let cached: { readonly value: T; readonly load: number | undefined; checkedAt: number } | undefined
  let reading: Promise<T> | undefined
  return async () => {
    const age = cached ? now().getTime() - cached.checkedAt : -1
    if (cached && age >= 0 && age < ttlMs) return cached.value
    const load = (await findLatestPublishedDataLoad(db))?.id
    if (cached && cached.load === load) {
      cached.checkedAt = now().getTime()
      return cached.value
    }
    cached = undefined
    reading ??= runInCallerSchema(() => read(load))
      .then((value) => {
        cached = { value, load, checkedAt: now().getTime() }
        return value
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
}
