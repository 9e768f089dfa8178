import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'

/**
 * Time of the latest load according to the server (contract/account/notification.ts); the only source for whether a
 * screen is stale.
 */
export const newestDataTime = createStore<string | null>(null)

export function isOlderData(shown: string | null, newest: string | null): boolean {
  return newest !== null && (shown === null || Date.parse(shown) < Date.parse(newest))
}

/** Returns the time of newer data than `shown`; undefined if it is current. */
export function useNewerData(shown: string | null | undefined): string | undefined {
  const newest = useSyncExternalStore(newestDataTime.subscribe, newestDataTime.get)
  return shown !== undefined && isOlderData(shown, newest) ? newest! : undefined
}
