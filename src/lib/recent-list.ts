import { getCurrentSession, getSessionOwner } from './session-store.ts'
import { readStoredJson, writeStoredJson } from './web-storage.ts'

const MAX_ITEMS = 6

/**
 * Creates a list of recent items, stored in this browser per user under `key`, so that the device's next user does not
 * see them. `isItem` validates stored data. Nothing is stored if storage is blocked or full.
 */
export function createRecentList<T>(
  key: string,
  { isItem, isSame }: { isItem: (value: unknown) => value is T; isSame: (a: T, b: T) => boolean },
) {
  const storageKey = () => `${key}.${getSessionOwner(getCurrentSession()) ?? 'nobody'}`
  const read = (): readonly T[] => {
    const value = readStoredJson(storageKey())
    return Array.isArray(value) ? value.filter(isItem).slice(0, MAX_ITEMS) : []
  }
  return {
    read,
    remember(item: T): void {
      const otherItems = read().filter((existing) => !isSame(existing, item))
      writeStoredJson(storageKey(), [item, ...otherItems].slice(0, MAX_ITEMS))
    },
    forgetAll(): void {
      try {
        for (const name of Object.keys(localStorage)) if (name.startsWith(`${key}.`)) localStorage.removeItem(name)
      } catch {
        // Storage is blocked, so nothing was stored.
      }
    },
  }
}
