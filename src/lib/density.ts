import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

export const DENSITIES = [
  { code: 'comfortable', name: 'สบายตา' },
  { code: 'compact', name: 'กะทัดรัด' },
] as const
export type Density = (typeof DENSITIES)[number]['code']

const DENSITY_KEY = 'tamngan.density'

function read(): Density {
  try {
    return localStorage.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}

const density = createStore(read())

export function setDensity(next: Density): void {
  try {
    if (next === 'comfortable') localStorage.removeItem(DENSITY_KEY)
    else localStorage.setItem(DENSITY_KEY, next)
  } catch {
    // Storage is blocked: the choice lasts until the page is reloaded.
  }
  density.set(next)
}

export function useDensity(): Density {
  return useSyncExternalStore(density.subscribe, density.get)
}
