import { Bell, BellOff } from 'lucide-react'
import { useRef, useState } from 'react'
import type { User } from '#contract/user.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/popover.tsx'

type Status = User['notification_updated_status']

/** The dot shows only when at least one notification exists and clickRead is set (specification section 4). */
export function hasUnread({ clickRead, notifications }: Status): boolean {
  return clickRead && notifications.length > 0
}

/** The bell of the header, with what `GET /users/me` says about notifications. */
export function NotificationBell({ status }: { status: Status }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const unread = hasUnread(status)
  return (
    <>
      <IconButton
        ref={button}
        icon={Bell}
        label={unread ? 'การแจ้งเตือน มีรายการใหม่' : 'การแจ้งเตือน'}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {unread && (
          <span
            aria-hidden
            className="absolute top-1.5 right-1.5 size-2 rounded-full border border-surface bg-urgent-solid"
          />
        )}
      </IconButton>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        anchor={button}
        label="การแจ้งเตือน"
        focus="panel"
        gap={12}
        className="w-[354px]"
      >
        <h2 className="border-b border-line px-4 py-2.5 font-semibold">การแจ้งเตือน</h2>
        <div className="flex max-h-[400px] flex-col items-center gap-2 px-6 py-10 text-center text-ink-muted">
          <BellOff aria-hidden className="size-6 text-ink-faint" />
          <p>
            {status.notifications.length === 0
              ? 'ยังไม่มีการแจ้งเตือน'
              : `มีการแจ้งเตือน ${status.notifications.length} รายการ`}
          </p>
        </div>
      </Popover>
    </>
  )
}
