import { ChevronDown } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { Avatar, formatFullName } from './avatar.tsx'

type UserMenuProps = {
  user: User
  preload?: () => void
  children: ReactNode
}

export function UserMenu({ user, preload, children }: UserMenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(!open)}
        className="inline-flex h-10 items-center gap-1.5 rounded-full px-1 hover:bg-surface-muted"
      >
        <VisuallyHidden>เมนูผู้ใช้ {formatFullName(user)}</VisuallyHidden>
        <Avatar user={user} />
        <ChevronDown aria-hidden className="size-4 text-ink-faint" />
      </button>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        anchor={button}
        label="เมนูผู้ใช้"
        focus="panel"
        gap={10}
        className="w-72 py-1"
      >
        {children}
      </Popover>
    </>
  )
}
