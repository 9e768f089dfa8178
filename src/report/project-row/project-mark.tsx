import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'

type ProjectMarkProps = {
  icon: LucideIcon
  label: string
  title: string
  text: ReactNode
  className?: string
  panelLabel: string
  heading: string
  children: ReactNode
}

/** Icon with a short text about a project, which opens its explanation. */
export function ProjectMark({
  icon: Icon,
  label,
  title,
  text,
  className,
  panelLabel,
  heading,
  children,
}: ProjectMarkProps) {
  const { buttonProps, popoverProps } = usePopover()
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        aria-label={label}
        title={title}
        className={classNames(
          'inline-flex shrink-0 items-center gap-1 rounded-control text-xs whitespace-nowrap touch:min-h-11 touch:min-w-11 touch:justify-center',
          className,
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        {text}
      </button>
      <Popover
        {...popoverProps}
        label={panelLabel}
        focus="panel"
        className="w-72 p-3 font-normal whitespace-normal text-ink"
      >
        <p className="mb-2 font-medium">{heading}</p>
        {children}
      </Popover>
    </>
  )
}
