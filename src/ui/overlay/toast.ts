import { createExternalStore } from '#src/lib/store.ts'

export type Toast = {
  readonly id: number
  readonly text: string
  /** Errors stay until closed. Other toasts close after 10 s, which pauses while they are hovered or focused. */
  readonly tone: 'done' | 'error'
  readonly action?: { readonly label: string; readonly run: () => void }
  /** A newer toast with the same key replaces this one. */
  readonly key?: unknown
}

const MAX_VISIBLE = 3
let nextId = 1
export const toastStore = createExternalStore<readonly Toast[]>([])

/** Shows a toast. At most three are visible; the oldest is removed first, errors last. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const remaining = toast.key === undefined ? toastStore.get() : toastStore.get().filter(({ key }) => key !== toast.key)
  const surplus = remaining.length + 1 - MAX_VISIBLE
  const removalOrder = [...remaining].sort((a, b) => Number(a.tone === 'error') - Number(b.tone === 'error'))
  const evicted = new Set(removalOrder.slice(0, Math.max(0, surplus)))
  toastStore.set([...remaining.filter((shown) => !evicted.has(shown)), { ...toast, id: nextId++ }])
}

export function dismissToast(id: number): void {
  toastStore.set(toastStore.get().filter((toast) => toast.id !== id))
}

export function clearToasts(): void {
  toastStore.set([])
}

export function hasToast(key: unknown): boolean {
  return toastStore.get().some((toast) => toast.key === key)
}

export function dismissToastsByKey(key: unknown): void {
  toastStore.set(toastStore.get().filter((toast) => toast.key !== key))
}
