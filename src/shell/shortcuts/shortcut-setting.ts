import { useSyncExternalStore } from 'react'
import { createExternalStore } from '#src/lib/store.ts'

/**
 * Storage key of the setting. Single-key shortcuts are on unless disabled on this device, because users of speech input
 * trigger them by accident (WCAG 2.1.4).
 */
const SHORTCUTS_KEY = 'tamngan.shortcuts'

const single = createExternalStore(read())

function read(): boolean {
  try {
    return localStorage.getItem(SHORTCUTS_KEY) !== 'off'
  } catch {
    return true
  }
}

export function areSingleKeyShortcutsEnabled(): boolean {
  return single.get()
}

export function setSingleKeyShortcutsEnabled(on: boolean): void {
  single.set(on)
  try {
    if (on) localStorage.removeItem(SHORTCUTS_KEY)
    else localStorage.setItem(SHORTCUTS_KEY, 'off')
  } catch {
    // Storage is blocked, so the choice lasts until the page is reloaded.
  }
}

export function useSingleKeyShortcutsEnabled(): boolean {
  return useSyncExternalStore(single.subscribe, single.get)
}
