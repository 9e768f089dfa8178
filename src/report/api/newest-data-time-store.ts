import { useEffect } from 'react'
import { createExternalStore } from '#src/lib/store.ts'

/**
 * Time of the latest load according to the server (contract/account/notification.ts). Only this value decides whether a
 * screen is stale.
 */
export const newestDataTimeStore = createExternalStore<string | null>(null)

export function isDataOlderThan(shownTime: string | null, newest: string | null): boolean {
  return newest !== null && (shownTime === null || Date.parse(shownTime) < Date.parse(newest))
}

export function useNewerDataTime(shownTime: string | null | undefined): string | undefined {
  const newest = newestDataTimeStore.useValue()
  return shownTime !== undefined && isDataOlderThan(shownTime, newest) ? newest! : undefined
}

/** Refetches once the server reports a newer data load, so that changed data appears after the next poll. */
export function useRefetchOnNewerData(shownTime: string | null | undefined, refetch: () => Promise<unknown>): void {
  const newer = useNewerDataTime(shownTime)
  useEffect(() => {
    if (newer !== undefined) void refetch()
  }, [newer, refetch])
}
