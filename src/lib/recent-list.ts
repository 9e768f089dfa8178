import { getCurrentSession, getSessionOwner } from './session-store.ts'

const MAX_ITEMS = 6

export type RecentList<T> = {
  read(): readonly T[]
  remember(item: T): void
  forgetAll(): void
}

/**
 * Creates a list of recent items, stored in this browser per user under `key`, so that the device's next user does not
 * see them. `isItem` validates stored data. Nothing is stored if storage is blocked or full.
 */
export function createRecentList<T>(
  key: string,
  { isItem, isSame }: { isItem: (value: unknown) => value is T; isSame: (a: T, b: T) => boolean },
): RecentList<T> {
  const storageKey = () => `${key}.${getSessionOwner(getCurrentSession()) ?? 'nobody'}`
  const read = (): readonly T[] => {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(storageKey()) ?? '[]')
      return Array.isArray(value) ? value.filter(isItem).slice(0, MAX_ITEMS) : []
    } catch {
      return []
    }
  }
  return {
    read,
    remember(item) {
      const otherItems = read().filter((existing) => !isSame(existing, item))
      try {
        localStorage.setItem(storageKey(), JSON.stringify([item, ...otherItems].slice(0, MAX_ITEMS)))
      } catch {
        // Storage is blocked or full, so the item is not remembered.
      }
    },
    forgetAll() {
      try {
        for (const name of Object.keys(localStorage)) if (name.startsWith(`${key}.`)) localStorage.removeItem(name)
      } catch {
        // Storage is blocked, so nothing was stored.
      }
    },
  }
}
