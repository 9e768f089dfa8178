import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

/** Gives a checkbox without text a 44 px touch target without moving its neighbours. */
export const BARE_CHECKBOX_CLASSES = 'touch:-mx-3.5 touch:min-w-11 touch:justify-center'

type CheckboxProps = {
  inputRef?: ((element: HTMLElement | null) => void) | undefined
  checked: boolean
  onChange: (checked: boolean) => void
  indeterminate?: boolean
  disabled?: boolean
  children?: ReactNode
  ariaLabel?: string
  trailing?: ReactNode
  className?: string
}

export function Checkbox({
  inputRef,
  checked,
  onChange,
  indeterminate = false,
  disabled = false,
  children,
  ariaLabel,
  trailing,
  className,
}: CheckboxProps) {
  const isMarked = checked || indeterminate
  const Mark = indeterminate ? Minus : Check
  return (
    <label
      className={classNames(
        'flex min-h-6 items-start gap-2.5 touch:min-h-11 touch:items-center',
        disabled && 'opacity-50',
        className,
      )}
    >
      <span className="relative mt-[3px] inline-flex size-4 shrink-0 touch:mt-0">
        <input
          ref={(input) => {
            if (input) input.indeterminate = indeterminate
            return inputRef?.(input)
          }}
          type="checkbox"
          aria-label={ariaLabel}
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
          className={classNames(
            'peer size-4 appearance-none rounded-[4px] border',
            isMarked ? 'border-accent bg-accent' : 'border-control bg-surface',
          )}
        />
        {isMarked && (
          <Mark
            aria-hidden
            className="pointer-events-none absolute inset-0 m-auto size-3 text-on-accent"
            strokeWidth={3}
          />
        )}
      </span>
      {children !== undefined && <span className="min-w-0 flex-1">{children}</span>}
      {trailing !== undefined && (
        <span className="shrink-0 self-center text-xs text-ink-faint tabular-nums">{trailing}</span>
      )}
    </label>
  )
}

type CheckboxPillProps = Pick<CheckboxProps, 'checked' | 'onChange' | 'trailing'> & { children: ReactNode }

export function CheckboxPill({ checked, onChange, children, trailing }: CheckboxPillProps) {
  return (
    <label
      className={classNames(
        'relative inline-flex h-8 min-w-0 items-center justify-center gap-1.5 rounded-control border px-2 text-sm whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent-ink touch:h-11 forced-colors:has-checked:border-[Highlight] forced-colors:has-checked:outline-1 forced-colors:has-checked:outline-[Highlight]',
        checked
          ? 'border-accent-ink bg-accent-soft font-medium text-accent-ink'
          : 'border-line-strong bg-surface text-ink hover:bg-surface-muted',
      )}
    >
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        // Covers the pill, so that the whole pill is clickable.
        className="absolute inset-0 cursor-pointer appearance-none rounded-control outline-none"
      />
      <span>{children}</span>
      {trailing !== undefined && trailing !== '' && (
        <span className="text-xs text-ink-faint tabular-nums">{trailing}</span>
      )}
    </label>
  )
}
