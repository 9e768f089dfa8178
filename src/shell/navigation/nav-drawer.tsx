import { Link, useLocation } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { isActiveNavEntry, type NavEntry } from './nav-entries.ts'
import { castToRoutePath } from './nav-tabs.tsx'
import { useNavLocation } from './use-nav-location.ts'

type NavDrawerProps = {
  entries: readonly NavEntry[]
  top: (close: () => void) => ReactNode
  children: ReactNode
}

export function NavDrawer({ entries, top, children }: NavDrawerProps) {
  const [openedAt, setOpenedAt] = useState<string>()
  const href = useLocation({ select: (location) => location.href })
  const location = useNavLocation()
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
              {entries.map((entry) => {
                const active = isActiveNavEntry(entry, location)
                return (
                  <li key={entry.name}>
                    <Link
                      to={castToRoutePath(entry.path)}
                      search={entry.search ?? {}}
                      aria-current={active ? 'page' : undefined}
                      onClick={close}
                      className={classNames(
                        'flex min-h-11 items-center gap-3 rounded-control px-3 text-md',
                        active
                          ? 'bg-accent-soft font-semibold text-accent-ink'
                          : 'text-ink-muted hover:bg-surface-muted',
                      )}
                    >
                      <entry.icon aria-hidden className="size-5" />
                      {entry.name}
                    </Link>
                  </li>
                )
              })}
            </ul>
          </nav>
          <div className="border-t border-line p-2">{children}</div>
        </div>
      </Modal>
    </div>
  )
}
