import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { PHONE_BAR_ITEM_CLASSES } from '#src/ui/phone-bar-item.ts'
import { isActiveNavEntry, isOurWorkEntry, type NavEntry } from './nav-entries.ts'
import { castToRoutePath } from './nav-tabs.tsx'
import { useNavLocation } from './use-nav-location.ts'

/**
 * Bottom bar of a phone: the first screen, งานของเรา, and the buttons passed as children. Hidden where a page has a
 * decision bar of its own. styles.css reserves its height.
 */
export function PhoneBar({ entries, children }: { entries: readonly NavEntry[]; children: ReactNode }) {
  const location = useNavLocation()
  const [first] = entries
  const barEntries = entries.filter((entry) => entry === first || isOurWorkEntry(entry))
  return (
    <nav
      aria-label="เมนูลัด"
      data-phone-bar
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface px-[max(0.25rem,env(safe-area-inset-left))] pb-[env(safe-area-inset-bottom)] print:hidden [html:has([data-decision-bar])_&]:hidden"
    >
      {barEntries.map((entry) => {
        const active = isActiveNavEntry(entry, location)
        return (
          <Link
            key={entry.name}
            to={castToRoutePath(entry.path)}
            search={entry.search ?? {}}
            aria-current={active ? 'page' : undefined}
            className={classNames(PHONE_BAR_ITEM_CLASSES, active ? 'font-semibold text-accent-ink' : 'text-ink-muted')}
          >
            <entry.icon aria-hidden className="size-5" />
            <span className="max-w-full truncate">{SHORT_NAMES[entry.path] ?? entry.name}</span>
          </Link>
        )
      })}
      {children}
    </nav>
  )
}

const SHORT_NAMES: Partial<Record<NavEntry['path'], string>> = { '/report': 'รายงาน', '/budget': 'งบประมาณ' }
