import { useSyncExternalStore } from 'react'

/** How close the rows of the report stand; kept on this device, for a small screen wants another answer than a large one. */
export const DENSITIES = [
  { code: 'comfortable', name: 'สบายตา' },
  { code: 'compact', name: 'กะทัดรัด' },
] as const
export type Density = (typeof DENSITIES)[number]['code']

const KEY = 'tamngan.density'
const watchers = new Set<() => void>()

function read(): Density {
  try {
    return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}
let density: Density | undefined

const currentDensity = (): Density => {
  density ??= read()
  return density
}

export function setDensity(next: Density): void {
  density = next
  try {
    if (next === 'comfortable') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
  for (const tell of watchers) tell()
}

function watch(tell: () => void) {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

export function useDensity(): Density {
  return useSyncExternalStore(watch, currentDensity)
}
