import { currentSession, ownerOf } from './session-store.ts'

/** The oldest goes first. */
const MOST_KEPT = 6

export type RecentList<T> = {
  /** The newest first. */
  read(): readonly T[]
  /** Puts an item first, in place of the same one further down. */
  remember(item: T): void
  /** Removes the lists of everybody who used this browser. */
  forgetAll(): void
}

/**
 * What a user did lately. It is kept in this browser alone, one list a user under `key`, so that the next user of the device sees none of it.
 * `isItem` guards what is read: storage may hold anything. Where storage is blocked or full nothing is kept.
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
        // Nothing is offered next time.
      }
    },
    forgetAll() {
      try {
        for (const name of Object.keys(localStorage)) if (name.startsWith(`${key}.`)) localStorage.removeItem(name)
      } catch {
        // Nothing was kept.
      }
    },
  }
}
