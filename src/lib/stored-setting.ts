import { useSyncExternalStore } from 'react'
import { createExternalStore } from './store.ts'

/** Reads a text from this device; null if there is none or storage is blocked. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Stores a text on this device, or deletes it. Where storage is blocked or full, nothing is stored. */
export function writeStoredText(key: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // Nothing depends on it: a setting then lasts until the page is reloaded.
  }
}

type StoredSetting<Value> = { get(): Value; set(next: Value): void; use(): Value }

/** Creates a setting of this device with the first of its values as default. */
export function createStoredSetting<const Value extends string>(
  key: string,
  values: readonly [Value, ...Value[]],
): StoredSetting<Value> {
  const [initial] = values
  const store = createExternalStore(values.find((value) => value === readStoredText(key)) ?? initial)
  return {
    get: store.get,
    set(next) {
      writeStoredText(key, next === initial ? undefined : next)
      store.set(next)
    },
    use: () => useSyncExternalStore(store.subscribe, store.get),
  }
}
