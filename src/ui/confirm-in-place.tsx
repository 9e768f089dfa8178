import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from './button.tsx'

type ConfirmInPlaceProps = {
  /** What is confirmed, for screen readers. */
  label: string
  /** What will happen. */
  children: ReactNode
  no: string
  yes: string
  onNo: () => void
  /** The button shows that it works until this is done. */
  onYes: () => void | Promise<void>
  onKeyDown?: (event: KeyboardEvent) => void
  className?: string
}

/** A question in the place of the button that raised it. Focus starts on what changes nothing. */
export function ConfirmInPlace({ label, children, no, yes, onNo, onYes, onKeyDown, className }: ConfirmInPlaceProps) {
  const [isPending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    await onYes()
    setPending(false)
  }
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
      <Button look="danger" size="sm" pending={isPending} onClick={() => void confirm()}>
        {yes}
      </Button>
    </div>
  )
}
