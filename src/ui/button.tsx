import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Spinner } from './spinner.tsx'

const VARIANTS = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-ink enabled:hover:bg-surface-muted',
  quiet: 'border-transparent text-ink-muted enabled:hover:bg-surface-muted enabled:hover:text-ink',
  link: 'border-transparent px-1 text-accent-ink enabled:hover:underline',
  danger: 'border-transparent bg-urgent-solid text-white enabled:hover:brightness-95',
} as const
const SIZES = {
  md: 'h-9 px-3 touch:h-11 touch:min-w-11',
  sm: 'h-8 px-2.5 text-sm touch:h-11 touch:min-w-11',
  lg: 'h-11 px-4 text-md',
} as const

type ButtonVariant = keyof typeof VARIANTS

export function getButtonClasses(
  variant: ButtonVariant = 'secondary',
  size: keyof typeof SIZES = 'md',
  className?: string,
): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap transition-colors disabled:opacity-50',
    SIZES[size],
    VARIANTS[variant],
    className,
  )
}

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  size?: keyof typeof SIZES
  icon?: LucideIcon
  pending?: boolean
  /** What the button acts on, appended to its accessible name. The children must be text. */
  of?: string
}

/** A button. Use the variant `primary` at most once per screen. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon: Icon,
  pending = false,
  of,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...(of && { 'aria-label': `${[children].flat().join('')} ${of}` })}
      {...rest}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest['aria-disabled']}
      onClick={(event) => {
        if (pending) event.preventDefault()
        else onClick?.(event)
      }}
      className={getButtonClasses(variant, size, className)}
    >
      {pending ? <Spinner /> : Icon && <Icon aria-hidden className="size-4 shrink-0" />}
      {children}
    </button>
  )
}
