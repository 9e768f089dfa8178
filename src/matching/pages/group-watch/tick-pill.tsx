import { Check, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type TickPillProps = {
  name: string
  /** Small text behind the name; part of the accessible name. */
  reason?: ReactNode
  on: boolean
  disabled?: boolean
  onChange: (on: boolean) => void
}

export function TickPill({ name, reason, on, disabled = false, onChange }: TickPillProps) {
  const Icon = on ? Check : Plus
  return (
    <label
      className={classNames(
        'relative inline-flex min-h-10 max-w-full items-center gap-1.5 rounded-full border px-3 py-1 has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
        on
          ? 'border-accent bg-accent-soft font-medium text-accent-ink'
          : 'border-line-strong bg-surface text-ink-muted',
        disabled && 'opacity-50',
      )}
    >
      <input
        type="checkbox"
        checked={on}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="absolute inset-0 size-full cursor-pointer appearance-none rounded-full"
      />
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {name}
        {reason !== undefined && (
          <>
            {' '}
            <span className="text-sm font-normal text-ink-muted">{reason}</span>
          </>
        )}
      </span>
    </label>
  )
}
