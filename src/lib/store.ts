import { useSyncExternalStore } from 'react'

/** Global value outside React, which components read with `useValue`. */
export function createExternalStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = (): T => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }
  return {
    get,
    /** Notifies all listeners, even if the value is unchanged. */
    set(next: T): void {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe,
    // The React Compiler knows a hook by its name, and would cache the result of a method named `use`.
    useValue: (): T => useSyncExternalStore(subscribe, get, get),
  }
}

/** Resolves when a store next notifies its listeners. */
export function nextNotification(subscribe: (listener: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      stop()
      resolve()
    })
  })
}
