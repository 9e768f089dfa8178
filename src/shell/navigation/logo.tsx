import { ScanSearch } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'

/** The product's sign and name. `compact` leaves the sign out below 1024 px, where the menu button stands beside it. */
export function Logo({ compact = false }: { compact?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span
        aria-hidden
        className={classNames(
          'size-8 items-center justify-center rounded-[7px] bg-accent text-on-accent',
          compact ? 'hidden lg:inline-flex' : 'inline-flex',
        )}
      >
        <ScanSearch className="size-5" />
      </span>
      {/* All tabs of the fullest account need the room between 1024 and 1440 px. */}
      <span className={classNames('text-xl font-bold text-accent-ink', compact && 'lg:max-[1440px]:sr-only')}>
        ตามงาน
      </span>
    </span>
  )
}
