import { Link } from '@tanstack/react-router'
import { classNames } from '#src/lib/class-names.ts'
import { findOurWorkTab, OUR_WORK_TABS } from './nav-entries.ts'
import { castToRoutePath } from './nav-tabs.tsx'
import { useNavLocation } from './use-nav-location.ts'

export function OurWorkTabs() {
  const current = findOurWorkTab(useNavLocation())
  if (!current) return null
  return (
    <nav aria-label="งานของเรา" className="shrink-0 border-b border-line bg-surface px-2 lg:px-3 print:hidden">
      <ul className="flex gap-1 overflow-x-auto">
        {OUR_WORK_TABS.map((tab) => (
          <li key={tab.name}>
            <Link
              to={castToRoutePath(tab.path)}
              search={tab.search ?? {}}
              aria-current={tab === current ? 'page' : undefined}
              className={classNames(
                'flex h-10 items-center border-b-2 px-3 whitespace-nowrap focus-visible:-outline-offset-2 touch:h-11',
                tab === current
                  ? 'border-accent-ink font-semibold text-accent-ink'
                  : 'border-transparent text-ink-muted hover:text-ink',
              )}
            >
              {tab.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
