/** Global value outside React. Read it with `useSyncExternalStore(store.subscribe, store.get)`. */
export function createExternalStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: (): T => value,
    /** Notifies all listeners, even if the value is unchanged. */
    set(next: T): void {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
