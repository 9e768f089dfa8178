import { findOurWorkTab, OUR_WORK_TABS } from './nav-entries.ts'
import { NavLink } from './nav-link.tsx'
import { useNavLocation } from './use-nav-location.ts'

export function OurWorkTabs() {
  if (!findOurWorkTab(useNavLocation())) return null
  return (
    <nav aria-label="งานของเรา" className="shrink-0 border-b border-line bg-surface px-2 lg:px-3 print:hidden">
      <ul className="flex gap-1 overflow-x-auto">
        {OUR_WORK_TABS.map((tab) => (
          <li key={tab.name}>
            <NavLink screen={tab} variant="tab" className="h-10 px-3 touch:h-11">
              {tab.name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
