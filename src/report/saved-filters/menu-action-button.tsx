import type { LucideIcon } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'

type ActionProps = { icon: LucideIcon; text: string; onClick: () => void; danger?: boolean; disabled?: boolean }

export function MenuActionButton({ icon: Icon, text, onClick, danger = false, disabled = false }: ActionProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={classNames(
        'flex min-h-9 w-full items-center gap-2.5 px-3 text-left focus-visible:-outline-offset-2 enabled:hover:bg-surface-muted disabled:opacity-50 touch:min-h-11',
        danger && 'text-urgent',
      )}
    >
      <Icon aria-hidden className={classNames('size-4 shrink-0', !danger && 'text-ink-faint')} />
      {text}
    </button>
  )
}
