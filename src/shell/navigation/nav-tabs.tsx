import { isActiveNavEntry, type NavEntry } from './nav-entries.ts'
import { NavLink } from './nav-link.tsx'
import { useNavLocation } from './use-nav-location.ts'

export function NavTabs({ entries }: { entries: readonly NavEntry[] }) {
  const location = useNavLocation()
  return (
    <nav aria-label="เมนูหลัก" className="h-full">
      <ul className="flex h-full xl:gap-1">
        {entries.map((entry) => (
          <li key={entry.name} className="h-full">
            <NavLink
              screen={entry}
              isActive={isActiveNavEntry(entry, location)}
              variant="tab"
              className="h-full gap-2 px-2 pt-0.5 xl:px-3 xl:text-md"
            >
              <entry.icon aria-hidden className="size-[18px] max-[1440px]:hidden" />
              {entry.name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
