import { asOwner } from '#server/engine/tenant.ts'

/**
 * Something costly that is built once for each version and kept in memory, for everybody: it is read as the owner, whoever happens to ask first. While the next one is built the one before is answered: only the
 * first question of a process waits. A failure is told to those who wait for it, and the next one who asks tries again.
 */
export function cacheNewest<V, T>(): (wanted: V, build: () => Promise<T>) => Promise<T> {
  let version: V | undefined
  let kept: Promise<T> | undefined
  return (wanted, build) => {
    if (version !== wanted) {
      version = wanted
      const next = asOwner(build)
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
