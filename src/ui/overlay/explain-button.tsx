import { Info, type LucideIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { Popover } from './popover.tsx'

type ExplainButtonProps = {
  subject: string
  icon?: LucideIcon
  /** Accessible names of the button (`label`) and of its panel. */
  label?: string
  panelLabel?: string
  children: ReactNode
  className?: string
  iconClassName?: string
}

export function ExplainButton({
  subject,
  icon = Info,
  label = `${subject} คืออะไร`,
  panelLabel = label,
  children,
  className = '',
  iconClassName = '',
}: ExplainButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        size="sm"
        label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={`print:hidden ${className}`}
        iconClassName={iconClassName}
      />
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        anchor={button}
        label={panelLabel}
        focus="panel"
        className="w-72 p-3 text-sm font-normal whitespace-normal text-ink"
      >
        <p className="font-medium">{subject}</p>
        <div className="mt-1 text-ink-muted">{children}</div>
      </Popover>
    </>
  )
}
