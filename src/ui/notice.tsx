import { Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from './icon-button.tsx'

type NoticeProps = {
  role?: 'status'
  warns?: boolean
  onClose?: () => void
  children: ReactNode
}

type NoticeItem = {
  readonly key: string
  readonly text: string
  readonly warns?: boolean
  readonly onClose?: () => void
}
type NoticeListProps = { notices: readonly (NoticeItem | false | '' | undefined)[]; className?: string }

/** Notices that stay closed, once closed, while their key is the same. */
export function NoticeList({ notices, className }: NoticeListProps) {
  const [closedKeys, setClosedKeys] = useState<ReadonlySet<string>>(() => new Set())
  const openNotices = notices.filter((notice) => !!notice).filter(({ key }) => !closedKeys.has(key))
  if (openNotices.length === 0) return null
  return (
    <div role="status" className={classNames('flex flex-col gap-2', className)}>
      {openNotices.map(({ key, text, warns = false, onClose }) => (
        <Notice
          key={key}
          warns={warns}
          onClose={() => {
            setClosedKeys(new Set([...closedKeys, key]))
            onClose?.()
          }}
        >
          {text}
        </Notice>
      ))}
    </div>
  )
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
