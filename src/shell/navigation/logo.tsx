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
      <span className="text-xl font-bold text-accent-ink">ตามงาน</span>
    </span>
  )
}
