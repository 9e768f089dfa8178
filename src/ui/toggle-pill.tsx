import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'

export function TogglePill({ isOn, className, ...rest }: ComponentProps<'button'> & { isOn: boolean }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      {...rest}
      className={classNames(
        'inline-flex h-8 max-w-full shrink-0 items-center gap-1.5 rounded-full border px-3 whitespace-nowrap transition-colors touch:h-11',
        isOn
          ? 'border-accent-ink bg-accent-soft text-accent-ink'
          : 'border-line bg-surface text-ink-muted hover:border-line-strong hover:text-ink',
        className,
      )}
    />
  )
}
