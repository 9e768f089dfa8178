import { Bell } from 'lucide-react'
import type { ReactNode } from 'react'
import type { NotificationGroup } from '#contract/account/notification.ts'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { PHONE_BAR_ITEM_CLASSES } from '#src/ui/phone-bar-item.ts'

/** True if the bell shows its dot: at least one notification exists and clickRead is set (specification section 4). */
export function hasUnreadNotifications({ clickRead, notifications }: NotificationGroup): boolean {
  return clickRead && notifications.length > 0
}

type NotificationBellProps = {
  status: NotificationGroup
  preload: () => void
  variant?: 'header' | 'phone-bar'
  children: (close: () => void) => ReactNode
}

export function NotificationBell({ status, preload, variant = 'header', children }: NotificationBellProps) {
  const { buttonProps, popoverProps } = usePopover()
  const unread = hasUnreadNotifications(status)
  const label = unread ? 'การแจ้งเตือน มีรายการใหม่' : 'การแจ้งเตือน'
  const shared = { ...buttonProps, onPointerEnter: preload, onFocus: preload }
  return (
    <>
      {variant === 'header' ? (
        <IconButton {...shared} icon={Bell} label={label}>
          {unread && <UnreadDot className="top-1.5 right-1.5" />}
        </IconButton>
      ) : (
        <button
          {...shared}
          type="button"
          aria-label={label}
          className={classNames(PHONE_BAR_ITEM_CLASSES, 'text-ink-muted')}
        >
          <span className="relative">
            <Bell aria-hidden className="size-5" />
            {unread && <UnreadDot className="-top-0.5 -right-0.5" />}
          </span>
          <span className="max-w-full truncate">แจ้งเตือน</span>
        </button>
      )}
      <Popover {...popoverProps} label="การแจ้งเตือน" gap={12} className="w-[354px]">
        {children(popoverProps.onClose)}
      </Popover>
    </>
  )
}

function UnreadDot({ className }: { className: string }) {
  return (
    <span
      aria-hidden
      className={classNames('absolute size-2 rounded-full border border-surface bg-urgent-solid', className)}
    />
  )
}
