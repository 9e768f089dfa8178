import { useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import type { NavEntry } from './nav-entries.ts'
import { NavLink } from './nav-link.tsx'

type NavDrawerProps = {
  entries: readonly NavEntry[]
  top: (close: () => void) => ReactNode
  children: ReactNode
}

export function NavDrawer({ entries, top, children }: NavDrawerProps) {
  const [openedAt, setOpenedAt] = useState<string>()
  const href = useLocation({ select: (location) => location.href })
  if (openedAt !== undefined && openedAt !== href) setOpenedAt(undefined)
  const open = openedAt !== undefined
  const close = () => setOpenedAt(undefined)
  return (
    <div className="lg:hidden">
      <IconButton
        icon={MenuIcon}
        label="เมนู"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={preloadModal}
        onClick={() => setOpenedAt(href)}
      />
      <Modal open={open} onClose={close} title="ตามงาน" variant="drawer">
        <div className="flex min-h-full flex-col">
          <div className="px-2 pt-2">{top(close)}</div>
          <nav aria-label="เมนูหลัก" className="flex-1 p-2">
            <ul>
              {entries.map((entry) => (
                <li key={entry.name}>
                  <NavLink screen={entry} variant="drawer" onClick={close}>
                    <entry.icon aria-hidden className="size-5" />
                    {entry.name}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div className="border-t border-line p-2">{children}</div>
        </div>
      </Modal>
    </div>
  )
}
