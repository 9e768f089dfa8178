/** A value of the whole page that lives outside React. Read it with `useSyncExternalStore(store.subscribe, store.get)`. */
export type Store<T> = {
  get(): T
  /** Calls every listener, also when nothing changed. */
  set(next: T): void
  /** Returns the function that removes the listener. */
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
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
