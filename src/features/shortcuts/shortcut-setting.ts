import { useSyncExternalStore } from 'react'

/** Single keys are on unless this device says otherwise: people who speak to the machine hit them by accident (WCAG 2.1.4). */
const KEY = 'tamngan.shortcuts'

let single = read()
const watchers = new Set<() => void>()

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function singleKeys(): boolean {
  return single
}

export function setSingleKeys(on: boolean): void {
  single = on
  for (const tell of watchers) tell()
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}

function watch(tell: () => void) {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(watch, singleKeys)
}
