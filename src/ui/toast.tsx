import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './icon-button.tsx'

export type Toast = {
  readonly id: number
  readonly text: string
  /** Errors stay until they are closed; the rest leave after 10 s (paused while pointed at or focused). */
  readonly tone: 'done' | 'error'
  readonly action?: { readonly label: string; readonly run: () => void }
}

const MOST_SHOWN = 3
const SHOWN_MS = 10_000
let toasts: readonly Toast[] = []
let nextId = 1
const watchers = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const tell of watchers) tell()
}

/** Says what has happened, from anywhere; at most three at a time, the oldest leaves first. */
export function showToast(toast: Omit<Toast, 'id'>): void {
  change([...toasts, { ...toast, id: nextId++ }].slice(-MOST_SHOWN))
}

export function dismissToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

export function clearToasts(): void {
  change([])
}

function watch(tell: () => void) {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

/** The live region that shows toasts; stands once, in the common layout. Leaving the layout (logout) clears it. */
export function ToastRegion() {
  const shown = useSyncExternalStore(watch, () => toasts)
  useEffect(() => clearToasts, [])
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-[60] flex flex-col items-center gap-2 p-4"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused || toast.tone === 'error') return
    const timer = setTimeout(() => dismissToast(toast.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [paused, toast])
  const Icon = toast.tone === 'error' ? CircleAlert : CircleCheck
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at a toast only keeps it from leaving
    <div
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="appear pointer-events-auto flex w-full max-w-md items-center gap-3 rounded-card border border-line bg-surface py-2 pr-2 pl-4 shadow-float"
    >
      <Icon
        aria-hidden
        className={toast.tone === 'error' ? 'size-5 shrink-0 text-urgent' : 'size-5 shrink-0 text-new'}
      />
      <p className="min-w-0 flex-1">{toast.text}</p>
      {toast.action && (
        <button
          type="button"
          onClick={() => {
            toast.action?.run()
            dismissToast(toast.id)
          }}
          className="shrink-0 rounded-control px-2 py-1 font-medium text-accent-ink hover:underline"
        >
          {toast.action.label}
        </button>
      )}
      <IconButton icon={X} label="ปิดข้อความ" size="sm" onClick={() => dismissToast(toast.id)} />
    </div>
  )
}
