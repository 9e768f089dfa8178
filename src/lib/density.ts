import { useSyncExternalStore } from 'react'
import { createExternalStore } from './store.ts'

export const DISPLAY_DENSITIES = [
  { code: 'comfortable', name: 'สบายตา' },
  { code: 'compact', name: 'กะทัดรัด' },
] as const
export type DisplayDensity = (typeof DISPLAY_DENSITIES)[number]['code']

const DENSITY_KEY = 'tamngan.density'

function read(): DisplayDensity {
  try {
    return localStorage.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'comfortable'
  } catch {
    return 'comfortable'
  }
}

const density = createExternalStore(read())

export function setDisplayDensity(next: DisplayDensity): void {
  try {
    if (next === 'comfortable') localStorage.removeItem(DENSITY_KEY)
    else localStorage.setItem(DENSITY_KEY, next)
  } catch {
    // Storage is blocked, so the choice lasts until the page is reloaded.
  }
  density.set(next)
}

export function useDisplayDensity(): DisplayDensity {
  return useSyncExternalStore(density.subscribe, density.get)
}
