import type { KeyboardEvent, ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from './button.tsx'

type ConfirmInPlaceProps = {
  label: string
  children: ReactNode
  no: string
  yes: string
  onNo: () => void
  onYes: () => void
  pending?: boolean
  onKeyDown?: (event: KeyboardEvent) => void
  className?: string
}

export function InlineConfirmation({
  label,
  children,
  no,
  yes,
  onNo,
  onYes,
  pending = false,
  onKeyDown,
  className,
}: ConfirmInPlaceProps) {
  return (
    <div
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      className={classNames('flex flex-wrap items-center gap-2', className)}
    >
      <div className="min-w-48 flex-1">{children}</div>
      <Button autoFocus size="sm" onClick={onNo}>
        {no}
      </Button>
      <Button variant="danger" size="sm" pending={pending} onClick={() => onYes()}>
        {yes}
      </Button>
    </div>
  )
}
