import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type TextFieldProps = ComponentProps<'input'> & {
  label: string
  hideLabel?: boolean
  error?: string | undefined
  hint?: ReactNode
  icon?: LucideIcon
  trailing?: ReactNode
}

const EMAIL_INPUT = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const

/** Label, input, hint and error. Text is 16 px on touch screens, where iOS would zoom into anything smaller. */
export function TextField({
  label,
  hideLabel = false,
  error,
  hint,
  icon: Icon,
  trailing,
  id,
  className,
  ...rest
}: TextFieldProps) {
  const generated = useId()
  const inputId = id ?? generated
  const describedBy = classNames(error && `${inputId}-error`, hint !== undefined && hint !== null && `${inputId}-hint`)
  return (
    <div className={className}>
      <label htmlFor={inputId} className={hideLabel ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
      </label>
      <div
        className={classNames(
          'flex h-9 items-center gap-2 rounded-control border bg-surface px-3 focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent-ink touch:h-11.5',
          error ? 'border-urgent' : 'border-control',
          rest.disabled && 'opacity-60',
        )}
      >
        {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />}
        <input
          {...(rest.type === 'email' && EMAIL_INPUT)}
          {...rest}
          id={inputId}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
          className="h-full min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-faint touch:text-lg"
        />
        {trailing}
      </div>
      {error && (
        <p id={`${inputId}-error`} className="mt-1 text-sm text-urgent">
          {error}
        </p>
      )}
      {hint !== undefined && hint !== null && (
        <div id={`${inputId}-hint`} className="mt-1 text-xs text-ink-faint">
          {hint}
        </div>
      )}
    </div>
  )
}
