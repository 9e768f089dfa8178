import { Bell } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { NotificationGroup } from '#contract/account/notification.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'

/** True if the bell shows its dot: at least one notification exists and clickRead is set (specification section 4). */
export function hasUnreadNotifications({ clickRead, notifications }: NotificationGroup): boolean {
  return clickRead && notifications.length > 0
}

type NotificationBellProps = {
  status: NotificationGroup
  preload: () => void
  children: ReactNode
}

export function NotificationBell({ status, preload, children }: NotificationBellProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const unread = hasUnreadNotifications(status)
  return (
    <>
      <IconButton
        ref={button}
        icon={Bell}
        label={unread ? 'การแจ้งเตือน มีรายการใหม่' : 'การแจ้งเตือน'}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={preload}
        onFocus={preload}
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
        gap={12}
        className="w-[354px]"
      >
        {children}
      </Popover>
    </>
  )
}
