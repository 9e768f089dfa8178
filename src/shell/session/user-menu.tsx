import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { User } from '#contract/account/user.ts'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { Avatar, formatFullName } from './avatar.tsx'

type UserMenuProps = { user: User; preload?: () => void; children: ReactNode }

/** It can still open and close after a sign-out, when `useUser` would request the user again. */
export function UserMenu({ user, preload, children }: UserMenuProps) {
  const { buttonProps, popoverProps } = usePopover()
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        onPointerEnter={preload}
        onFocus={preload}
        className="inline-flex h-10 items-center gap-1.5 rounded-full px-1 hover:bg-surface-muted"
      >
        <VisuallyHidden>เมนูผู้ใช้ {formatFullName(user)}</VisuallyHidden>
        <Avatar user={user} />
        <ChevronDown aria-hidden className="size-4 text-ink-faint" />
      </button>
      <Popover {...popoverProps} label="เมนูผู้ใช้" focus="panel" gap={10} className="w-72 py-1">
        {children}
      </Popover>
    </>
  )
}
