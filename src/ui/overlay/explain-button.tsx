import { Info } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { Popover } from './popover.tsx'

type ExplainButtonProps = {
  subject: string
  children: ReactNode
  className?: string
}

export function ExplainButton({ subject, children, className }: ExplainButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const label = `${subject} คืออะไร`
  return (
    <>
      <IconButton
        ref={button}
        icon={Info}
        size="sm"
        label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={`print:hidden ${className ?? ''}`}
      />
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        anchor={button}
        label={label}
        focus="panel"
        className="w-72 p-3 text-sm font-normal whitespace-normal text-ink"
      >
        <p className="font-medium">{subject}</p>
        <div className="mt-1 text-ink-muted">{children}</div>
      </Popover>
    </>
  )
}
