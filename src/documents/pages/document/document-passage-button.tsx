import { FileSearch, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type DocumentPassageButtonProps = {
  label: ReactNode
  mark?: ReactNode
  page: number
  isCurrent: boolean
  onOpen: () => void
  className: string
  children: ReactNode
}

export function DocumentPassageButton({
  label,
  mark,
  page,
  isCurrent,
  onOpen,
  className,
  children,
}: DocumentPassageButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isCurrent}
      onClick={onOpen}
      className={classNames(
        'block w-full border-l-3 px-5 pt-3 text-left hover:bg-surface-muted focus-visible:-outline-offset-2',
        isCurrent ? 'border-accent bg-accent-soft' : 'border-transparent',
        className,
      )}
    >
      <span className="flex items-center gap-2 text-xs text-ink-muted">
        <span className="min-w-0 flex-1">{label}</span>
        {mark}
        <PassageMark icon={FileSearch}>หน้า {page}</PassageMark>
      </span>
      {children}
    </button>
  )
}

type PassageMarkProps = { icon: LucideIcon; warns?: boolean; children: ReactNode }

export function PassageMark({ icon: Icon, warns = false, children }: PassageMarkProps) {
  return (
    <span className={classNames('inline-flex items-center gap-1', warns ? 'text-updated' : 'text-accent-ink')}>
      <Icon aria-hidden className="size-3.5" /> {children}
    </span>
  )
}
