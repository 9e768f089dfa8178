/** A value of the whole page that lives outside React: read with `useSyncExternalStore(value.watch, value.get)`. */
export type WatchedValue<T> = {
  get(): T
  /** Tells everybody who watches, also when nothing changed. */
  set(next: T): void
  /** Returns the function that stops it. */
  watch(tell: () => void): () => void
}

export function watchedValue<T>(initial: T): WatchedValue<T> {
  let value = initial
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const tell of watchers) tell()
    },
    watch(tell) {
      watchers.add(tell)
      return () => {
        watchers.delete(tell)
      }
    },
  }
}
