export type Toast = {
  readonly id: number
  readonly text: string
  /** Errors stay until they are closed; the rest leave after 10 s (paused while pointed at or focused). */
  readonly tone: 'done' | 'error'
  readonly action?: { readonly label: string; readonly run: () => void }
  /** A later toast with the same key takes this one's place. */
  readonly key?: unknown
}

const MOST_SHOWN = 3
let toasts: readonly Toast[] = []
let nextId = 1
const watchers = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const tell of watchers) tell()
}

/** Says what has happened, from anywhere; at most three at a time, the oldest leaves first, errors last. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  const others = toast.key === undefined ? toasts : toasts.filter(({ key }) => key !== toast.key)
  const surplus = others.length + 1 - MOST_SHOWN
  const byWorth = [...others].sort((one, other) => Number(one.tone === 'error') - Number(other.tone === 'error'))
  const leaving = new Set(byWorth.slice(0, Math.max(0, surplus)))
  change([...others.filter((one) => !leaving.has(one)), { ...toast, id: nextId++ }])
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export function clearToasts(): void {
  change([])
}

export function hasToast(key: unknown): boolean {
  return toasts.some((toast) => toast.key === key)
}

/** Takes back the toast of this key, where it still stands. */
export function withdrawToast(key: unknown): void {
  change(toasts.filter((toast) => toast.key !== key))
}

export function watchToasts(tell: () => void) {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

/** Those shown now, oldest first. */
export function currentToasts(): readonly Toast[] {
  return toasts
}
