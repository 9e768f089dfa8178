import { ScanSearch } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'

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
      {/* Between 1024 and 1440 px, the tabs of an account with every feature need this space. */}
      <span className={classNames('text-xl font-bold text-accent-ink', compact && 'lg:max-[1440px]:sr-only')}>
        ตามงาน
      </span>
    </span>
  )
}
