/** Global value outside React. Read it with `useSyncExternalStore(store.subscribe, store.get)`. */
export type ExternalStore<T> = {
  get(): T
  /** Notifies all listeners, even if the value is unchanged. */
  set(next: T): void
  subscribe(listener: () => void): () => void
}

export function createExternalStore<T>(initial: T): ExternalStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
