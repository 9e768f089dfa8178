import { Info, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../icon-button.tsx'
import { Popover, usePopover } from './popover.tsx'

type ExplainButtonProps = {
  subject: string
  icon?: LucideIcon
  label?: string
  panelLabel?: string
  children: ReactNode
  className?: string
  iconClassName?: string
}

export function ExplainButton({
  subject,
  icon = Info,
  label,
  panelLabel,
  children,
  className = '',
  iconClassName = '',
}: ExplainButtonProps) {
  const { buttonProps, popoverProps } = usePopover()
  const buttonLabel = label ?? `${subject} คืออะไร`
  return (
    <>
      <IconButton
        {...buttonProps}
        icon={icon}
        size="sm"
        label={buttonLabel}
        className={`print:hidden ${className}`}
        iconClassName={iconClassName}
      />
      <Popover
        {...popoverProps}
        label={panelLabel ?? buttonLabel}
        focus="panel"
        className="w-72 p-3 text-sm font-normal whitespace-normal text-ink"
      >
        <p className="font-medium">{subject}</p>
        <div className="mt-1 text-ink-muted">{children}</div>
      </Popover>
    </>
  )
}
