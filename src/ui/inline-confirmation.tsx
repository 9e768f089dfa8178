import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from './button.tsx'

type InlineConfirmationProps = Pick<ComponentProps<'div'>, 'children' | 'onKeyDown' | 'className'> & {
  label: string
  no: string
  yes: string
  onNo: () => void
  onYes: () => void
  pending?: boolean
}

export function InlineConfirmation({
  label,
  children,
  no,
  yes,
  onNo,
  onYes,
  pending = false,
  className,
  ...rest
}: InlineConfirmationProps) {
  return (
    <div
      role="group"
      aria-label={label}
      {...rest}
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
