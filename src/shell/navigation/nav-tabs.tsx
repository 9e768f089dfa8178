import { Link } from '@tanstack/react-router'
import { classNames } from '#src/lib/class-names.ts'
import { isActiveNavEntry, type NavEntry } from './nav-entries.ts'
import { useNavLocation } from './use-nav-location.ts'

/** Casts a `SCREENS` path to the router's type. A test ensures that `SCREENS` matches the routes. */
export const castToRoutePath = (path: NavEntry['path']) => path as '/report'

export function NavTabs({ entries }: { entries: readonly NavEntry[] }) {
  const location = useNavLocation()
  return (
    <nav aria-label="เมนูหลัก" className="h-full">
      <ul className="flex h-full xl:gap-1">
        {entries.map((entry) => {
          const active = isActiveNavEntry(entry, location)
          return (
            <li key={entry.name} className="h-full">
              <Link
                to={castToRoutePath(entry.path)}
                search={entry.search ?? {}}
                aria-current={active ? 'page' : undefined}
                className={classNames(
                  'flex h-full items-center gap-2 border-b-2 px-2 pt-0.5 whitespace-nowrap focus-visible:-outline-offset-2 xl:px-3 xl:text-md',
                  active
                    ? 'border-accent-ink font-semibold text-accent-ink'
                    : 'border-transparent text-ink-muted hover:text-ink',
                )}
              >
                <entry.icon aria-hidden className="size-[18px] max-[1440px]:hidden" />
                {entry.name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
