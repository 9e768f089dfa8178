import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'

/** When data was last loaded, as the server said last (contract/account/notification.ts): the one word on whether a screen is behind. */
export const newestDataTime = createStore<string | null>(null)

/** Whether data of `shown` has been followed by newer data. */
export function isOlderData(shown: string | null, newest: string | null): boolean {
  return newest !== null && (shown === null || Date.parse(shown) < Date.parse(newest))
}

/** When the newer data came that an answer with data of `shown` does not hold yet; undefined while it is the newest. */
export function useNewerData(shown: string | null | undefined): string | undefined {
  const newest = useSyncExternalStore(newestDataTime.subscribe, newestDataTime.get)
  return shown !== undefined && isOlderData(shown, newest) ? newest! : undefined
}
