import type { ReactNode } from 'react'
import { PHONE_BAR_ITEM_CLASSES } from '#src/ui/phone-bar-item.ts'
import { isOurWorkEntry, type NavEntry } from './nav-entries.ts'
import { NavLink } from './nav-link.tsx'

/** Hidden where a page has a decision bar of its own. styles.css reserves its height. */
export function PhoneBar({ entries, children }: { entries: readonly NavEntry[]; children: ReactNode }) {
  const [first] = entries
  const barEntries = entries.filter((entry) => entry === first || isOurWorkEntry(entry))
  return (
    <nav
      aria-label="เมนูลัด"
      data-phone-bar
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface px-[max(0.25rem,env(safe-area-inset-left))] pb-[env(safe-area-inset-bottom)] print:hidden [html:has([data-decision-bar])_&]:hidden"
    >
      {barEntries.map((entry) => (
        <NavLink key={entry.name} screen={entry} variant="phone-bar" className={PHONE_BAR_ITEM_CLASSES}>
          <entry.icon aria-hidden className="size-5" />
          <span className="max-w-full truncate">{SHORT_NAMES[entry.path] ?? entry.name}</span>
        </NavLink>
      ))}
      {children}
    </nav>
  )
}

const SHORT_NAMES: Partial<Record<NavEntry['path'], string>> = { '/report': 'รายงาน', '/budget': 'งบประมาณ' }
