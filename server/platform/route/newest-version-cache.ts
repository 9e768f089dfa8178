import { memoizePerDatabaseSchema, runInCallerSchema } from '#server/platform/engine/tenant.ts'

/**
 * Returns a function that builds an expensive value once per version, as table owner, and caches it for all users of
 * the same tables. While a new version is being built, callers get the old value, so only the first call of a process
 * waits. If building fails, all waiting callers get the error and the next call retries.
 */
export function createNewestVersionCache<V, T>(): (requestedVersion: V, build: () => Promise<T>) => Promise<T> {
  const currentCache = memoizePerDatabaseSchema(createNewestCache<V, T>)
  return (requestedVersion, build) => currentCache()(requestedVersion, build)
}

function createNewestCache<V, T>(): (requestedVersion: V, build: () => Promise<T>) => Promise<T> {
  let version: V | undefined
  let cached: Promise<T> | undefined
  return (requestedVersion, build) => {
    if (version !== requestedVersion) {
      version = requestedVersion
      const built = runInCallerSchema(build)
      const previous = cached
      cached ??= built
      built.then(
        () => {
          if (version === requestedVersion) cached = built
        },
        () => {
          if (version === requestedVersion) version = undefined
          if (cached === built) cached = previous
        },
      )
    }
    return cached!
  }
}
