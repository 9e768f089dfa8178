import { useSyncExternalStore } from 'react'

export function useMediaQuery(query: string): boolean {
  // The compiler caches the list: a new MediaQueryList per render and component added 2 ms to a click on a filter.
  const list = window.matchMedia(query)
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }
  return useSyncExternalStore(subscribe, () => list.matches)
}
