import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type SwitchProps = {
  checked: boolean
  onChange: (checked: boolean) => void
  label: ReactNode
  children?: ReactNode
  disabled?: boolean | undefined
}

export function Switch({ checked, onChange, label, children, disabled }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className="flex min-h-11 w-full items-start gap-3 rounded-control py-2 text-left disabled:opacity-60"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        {children !== undefined && <span className="block text-sm text-ink-muted">{children}</span>}
      </span>
      <span
        aria-hidden
        className={classNames(
          'mt-0.5 inline-flex h-6 w-11 shrink-0 items-center rounded-full border px-0.5 transition-colors',
          checked ? 'border-accent bg-accent forced-colors:bg-[Highlight]' : 'border-control bg-surface',
        )}
      >
        <span
          className={classNames(
            'size-4.5 rounded-full transition-transform',
            checked ? 'translate-x-5 bg-white forced-colors:bg-[Canvas]' : 'bg-control forced-colors:bg-[ButtonText]',
          )}
        />
      </span>
    </button>
  )
}
