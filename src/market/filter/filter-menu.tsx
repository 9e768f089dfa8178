import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'

type FilterMenuProps = {
  label: string
  chosen: readonly string[]
  children: (close: () => void) => ReactNode
}

export function FilterMenu({ label, chosen, children }: FilterMenuProps) {
  const { buttonProps, popoverProps, closeAndFocusButton } = usePopover()
  const isOn = chosen.length > 0
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        title={isOn ? chosen.join(', ') : undefined}
        className={getButtonClasses(
          'secondary',
          'md',
          classNames('gap-1.5 px-2.5', isOn && 'border-accent! text-accent-ink'),
        )}
      >
        <span className="max-w-56 truncate">
          {label}
          {chosen.length === 1 && `: ${chosen[0]}`}
          {chosen.length > 1 && ` ${formatCount(chosen.length)}`}
        </span>
        {chosen.length > 1 && <span className="sr-only">: {chosen.join(', ')}</span>}
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </button>
      <Popover {...popoverProps} label={label} className="w-80 p-3">
        {children(closeAndFocusButton)}
      </Popover>
    </>
  )
}
