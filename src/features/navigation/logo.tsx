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
      {/* Between 1024 and 1280 px all tabs need the room. */}
      <span className={classNames('text-xl font-bold text-accent-ink', compact && 'lg:max-xl:sr-only')}>ตามงาน</span>
    </span>
  )
}
