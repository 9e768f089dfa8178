import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { type FocusEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { IconButton } from '../icon-button.tsx'
import { clearToasts, dismissToast, type Toast, toastStore } from './toast.ts'

const TOAST_DURATION_MS = 10_000
const TEXT_INPUTS = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable]'

/** Triggers the action of the latest non-error toast, which is always an undo, on Ctrl+Z outside text fields. */
function undoOnCtrlZ(event: KeyboardEvent) {
  if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
  if (event.target instanceof Element && event.target.closest(TEXT_INPUTS)) return
  const lastUndoable = toastStore.get().findLast(({ tone, action }) => tone === 'done' && action)
  if (!lastUndoable) return
  event.preventDefault()
  dismissToast(lastUndoable.id)
  lastUndoable.action?.run()
}

/**
 * Live region for toasts, mounted once in the app layout; unmounting it (logout) clears them. Rendered outside the
 * page's tree so that it stays reachable while a dialog is open.
 */
export function ToastRegion() {
  const visibleToasts = toastStore.useValue()
  const previousFocus = useRef<HTMLElement>(null)
  useEffect(() => clearToasts, [])
  useDocumentEvent('keydown', undoOnCtrlZ)
  const onFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      previousFocus.current = relatedTarget
  }
  return createPortal(
    <div
      role="status"
      aria-live="polite"
      onFocus={onFocus}
      className="pointer-events-none fixed inset-x-0 bottom-(--toast-lift,0px) z-[60] flex flex-col items-center gap-2 p-4 pb-[max(1rem,env(safe-area-inset-bottom))] print:hidden"
    >
      {visibleToasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} focusBack={() => previousFocus.current?.focus()} />
      ))}
    </div>,
    document.body,
  )
}

function ToastCard({ toast, focusBack }: { toast: Toast; focusBack: () => void }) {
  const card = useRef<HTMLDivElement>(null)
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused || toast.tone === 'error') return
    const timer = setTimeout(() => dismissToast(toast.id), TOAST_DURATION_MS)
    return () => clearTimeout(timer)
  }, [paused, toast])
  const dismiss = () => {
    if (card.current?.contains(document.activeElement)) focusBack()
    dismissToast(toast.id)
  }
  const Icon = toast.tone === 'error' ? CircleAlert : CircleCheck
  return (
    <EventDelegationBox
      ref={card}
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
        <TextButton
          title={toast.tone === 'done' ? `${toast.action.label} (Ctrl+Z)` : undefined}
          aria-keyshortcuts={toast.tone === 'done' ? 'Control+Z' : undefined}
          onClick={() => {
            dismiss()
            toast.action?.run()
          }}
          className="shrink-0 px-2 py-1 font-medium"
        >
          {toast.action.label}
        </TextButton>
      )}
      <IconButton icon={X} label="ปิดข้อความ" size="sm" onClick={dismiss} />
    </EventDelegationBox>
  )
}
