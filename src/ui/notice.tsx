import { Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from './icon-button.tsx'

type NoticeProps = {
  role?: 'status'
  warns?: boolean
  onClose?: () => void
  children: ReactNode
}

/** One-line notice above a screen. Needs the role `status`, or an element with it around several notices. */
export function Notice({ role, warns = false, onClose, children }: NoticeProps) {
  const Icon = warns ? TriangleAlert : Info
  return (
    <div
      role={role}
      className={classNames(
        'flex items-start gap-2 rounded-control border py-1 pr-1 pl-3 text-sm',
        warns ? 'border-updated-line bg-updated-soft text-updated' : 'border-line bg-surface-muted text-ink-muted',
      )}
    >
      <Icon aria-hidden className="mt-1.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 py-0.5 wrap-anywhere">{children}</div>
      {onClose && <IconButton icon={X} label="ปิดข้อความนี้" size="sm" onClick={onClose} />}
    </div>
  )
}
