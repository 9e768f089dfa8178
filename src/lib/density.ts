import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

/** Row density of the report. Stored per device, since it depends on screen size. */
export const DENSITIES = [
  { code: 'comfortable', name: 'สบายตา' },
  { code: 'compact', name: 'กะทัดรัด' },
] as const
export type Density = (typeof DENSITIES)[number]['code']

const KEY = 'tamngan.density'

function read(): Density {
  try {
    return localStorage.getItem(KEY) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}

const density = createStore(read())

export function setDensity(next: Density): void {
  try {
    if (next === 'comfortable') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, next)
  } catch {
    // Storage is blocked: the choice lasts until the page is reloaded.
  }
  density.set(next)
}

export function useDensity(): Density {
  return useSyncExternalStore(density.subscribe, density.get)
}
