import { asOwnerBeside, inEachPlace } from '#server/platform/engine/tenant.ts'

/**
 * Builds something costly once for each version and keeps it in memory for everybody who sees the same tables, read as the owner. While a new version is built, callers get
 * the old one, so only the first call of a process waits. A failure rejects for everybody who waits for it; the next call tries again.
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
