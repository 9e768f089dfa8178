import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  icon: LucideIcon
  label: string
  size?: 'sm' | 'md'
  iconClassName?: string
}

/** Square icon button: 36 px, `sm` 28 px for rows and chips; both 44 px on touch screens. */
export function IconButton({
  icon: Icon,
  label,
  size = 'md',
  className,
  iconClassName,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(
        'relative inline-flex shrink-0 items-center justify-center rounded-control text-ink-muted transition-colors enabled:hover:bg-surface-muted enabled:hover:text-ink disabled:opacity-50',
        size === 'md' ? 'size-9 touch:size-11' : 'size-7 touch:size-11',
        className,
      )}
    >
      <Icon aria-hidden className={classNames(size === 'md' ? 'size-5' : 'size-4', iconClassName)} />
      {children}
    </button>
  )
}
