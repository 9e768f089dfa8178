import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false

function subscribeToPrinting(listener: () => void): () => void {
  const begin = () => {
    isPrinting = true
    // `window.print()` lays out the pages before any microtask runs.
    flushSync(listener)
  }
  const end = () => {
    isPrinting = false
    listener()
  }
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}

/** Returns true from `beforeprint` to `afterprint`, so that the content is rendered before it is laid out on pages. */
export function usePrinting(): boolean {
  return useSyncExternalStore(subscribeToPrinting, () => isPrinting)
}
