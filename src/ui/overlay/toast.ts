import { createStore } from '#src/lib/store.ts'

export type Toast = {
  readonly id: number
  readonly text: string
  /** Errors stay until closed; other toasts close after 10 s, paused while hovered or focused. */
  readonly tone: 'done' | 'error'
  readonly action?: { readonly label: string; readonly run: () => void }
  /** A newer toast with the same key replaces this one. */
  readonly key?: unknown
}

const MOST_SHOWN = 3
let nextId = 1
export const toasts = createStore<readonly Toast[]>([])

/** Shows a toast. At most three are visible; the oldest is removed first, errors last. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const others = toast.key === undefined ? toasts.get() : toasts.get().filter(({ key }) => key !== toast.key)
  const surplus = others.length + 1 - MOST_SHOWN
  const byWorth = [...others].sort((one, other) => Number(one.tone === 'error') - Number(other.tone === 'error'))
  const leaving = new Set(byWorth.slice(0, Math.max(0, surplus)))
  toasts.set([...others.filter((one) => !leaving.has(one)), { ...toast, id: nextId++ }])
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

export function clearToasts(): void {
  toasts.set([])
}

export function hasToast(key: unknown): boolean {
  return toasts.get().some((toast) => toast.key === key)
}

export function withdrawToast(key: unknown): void {
  toasts.set(toasts.get().filter((toast) => toast.key !== key))
}
