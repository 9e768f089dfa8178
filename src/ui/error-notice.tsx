import { CircleAlert, RotateCw } from 'lucide-react'
import { Button } from './button.tsx'

type ErrorNoticeProps = {
  /** What could not be done, e.g. "โหลดโครงการไม่สำเร็จ". */
  title: string
  /** The reason in words, from `errorText(error)`. */
  reason?: string | undefined
  /** Number to give to support; the server's request id. */
  requestId?: string | undefined
  onRetry?: () => void
  retrying?: boolean
  className?: string
}

/** Tried again, the notice goes, and with it the button that has the focus: the panel around it gets the focus. */
function keepFocus(notice: HTMLElement | null) {
  return () => {
    if (!notice?.contains(document.activeElement)) return
    const around: HTMLElement[] = []
    for (let one = notice.parentElement; one; one = one.parentElement) around.push(one)
    queueMicrotask(() => {
      const panel = around.find(({ isConnected }) => isConnected)
      if (!panel) return
      if (!panel.hasAttribute('tabindex')) panel.tabIndex = -1
      panel.focus({ preventScroll: true })
    })
  }
}

/** A failure that is told and can be tried again. Never an empty table. */
export function ErrorNotice({ title, reason, requestId, onRetry, retrying = false, className }: ErrorNoticeProps) {
  return (
    <div
      ref={keepFocus}
      role="alert"
      className={`flex flex-wrap items-start gap-3 rounded-card border border-urgent-line bg-urgent-soft px-4 py-3 ${className ?? ''}`}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-urgent" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium text-urgent">{title}</p>
        {reason && <p className="text-ink-muted">{reason}</p>}
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
