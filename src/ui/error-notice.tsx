import { CircleAlert, RotateCw } from 'lucide-react'
import { getErrorRequestId, getErrorText } from '#src/lib/problem-error.ts'
import { Button } from './button.tsx'

type ErrorNoticeProps = {
  title: string
  /** Its text, unless `reason` replaces it, and its request id are shown below the title. */
  error?: unknown
  reason?: string | undefined
  onRetry?: () => void
  retrying?: boolean
  className?: string | undefined
}

/** Ref that focuses the nearest remaining ancestor when a retry removes the notice with its focused button. */
function moveFocusOnRemoval(notice: HTMLElement | null) {
  return () => {
    if (!notice?.contains(document.activeElement)) return
    const ancestors: HTMLElement[] = []
    for (let ancestor = notice.parentElement; ancestor; ancestor = ancestor.parentElement) ancestors.push(ancestor)
    queueMicrotask(() => {
      const panel = ancestors.find(({ isConnected }) => isConnected)
      if (!panel) return
      if (!panel.hasAttribute('tabindex')) panel.tabIndex = -1
      panel.focus({ preventScroll: true })
    })
  }
}

export function ErrorNotice({ title, error, reason, onRetry, retrying = false, className }: ErrorNoticeProps) {
  const requestId = getErrorRequestId(error)
  const text = reason ?? (error == null ? undefined : getErrorText(error))
  return (
    <div
      ref={moveFocusOnRemoval}
      role="alert"
      className={`flex flex-wrap items-start gap-3 rounded-card border border-urgent-line bg-urgent-soft px-4 py-3 ${className ?? ''}`}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-urgent" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium text-urgent">{title}</p>
        {text && <p className="text-ink-muted">{text}</p>}
        {requestId && <p className="text-xs text-ink-muted">รหัสอ้างอิง {requestId}</p>}
      </div>
      {onRetry && (
        <Button size="sm" icon={RotateCw} onClick={onRetry} pending={retrying}>
          ลองใหม่
        </Button>
      )}
    </div>
  )
}
