import { asOwnerBeside, inEachPlace } from '#server/platform/engine/tenant.ts'

/**
 * Builds an expensive value once per version, as owner, and caches it for all users of the same tables. Callers get the
 * old value while a new version is being built, so only the first call of a process waits. A failure rejects for all
 * waiting callers; the next call retries.
 */
export function cacheNewest<V, T>(): (wanted: V, build: () => Promise<T>) => Promise<T> {
  const keep = inEachPlace(createNewestCache<V, T>)
  return (wanted, build) => keep()(wanted, build)
}

function createNewestCache<V, T>(): (wanted: V, build: () => Promise<T>) => Promise<T> {
  let version: V | undefined
  let kept: Promise<T> | undefined
  return (wanted, build) => {
    if (version !== wanted) {
      version = wanted
      const next = asOwnerBeside(build)
      const before = kept
      kept ??= next
      next.then(
        () => {
          if (version === wanted) kept = next
        },
        () => {
          if (version === wanted) version = undefined
          if (kept === next) kept = before
        },
      )
    }
    return kept!
  }
}
