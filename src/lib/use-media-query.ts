import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** Whether a media query matches now; follows the window. */
export function useMediaQuery(query: string): boolean {
  // Kept: another list for each drawing of each component took 2 ms of a press on a filter.
  const list = useMemo(() => window.matchMedia(query), [query])
  const subscribe = useCallback(
    (listener: () => void) => {
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [list],
  )
  return useSyncExternalStore(subscribe, () => list.matches)
}
