import { currentSession, ownerOf } from './session-store.ts'

/** Older items are evicted. */
const MOST_KEPT = 6

export type RecentList<T> = {
  read(): readonly T[]
  remember(item: T): void
  /** Deletes the lists of all users of this browser. */
  forgetAll(): void
}

/**
 * Creates a list of recent items, stored in this browser per user under `key`, so that the next user of the device does
 * not see it. `isItem` validates stored data. Nothing is stored if storage is blocked or full.
 */
export function createRecentList<T>(
  key: string,
  { isItem, isSame }: { isItem: (value: unknown) => value is T; isSame: (one: T, other: T) => boolean },
): RecentList<T> {
  const ownKey = () => `${key}.${ownerOf(currentSession()) ?? 'nobody'}`
  const read = (): readonly T[] => {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(ownKey()) ?? '[]')
      return Array.isArray(value) ? value.filter(isItem).slice(0, MOST_KEPT) : []
    } catch {
      return []
    }
  }
  return {
    read,
    remember(item) {
      const others = read().filter((one) => !isSame(one, item))
      try {
        localStorage.setItem(ownKey(), JSON.stringify([item, ...others].slice(0, MOST_KEPT)))
      } catch {
        // The item is not remembered.
      }
    },
    forgetAll() {
      try {
        for (const name of Object.keys(localStorage)) if (name.startsWith(`${key}.`)) localStorage.removeItem(name)
      } catch {
        // Nothing was stored.
      }
    },
  }
}
