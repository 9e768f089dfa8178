import { ChevronDown } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { Popover } from '#src/ui/popover.tsx'

type ScopeMenuProps = {
  label: string
  /** What is chosen, as it is read. */
  chosen: readonly string[]
  children: ReactNode
}

/** A button that says what is chosen and opens the boxes to tick under it. */
export function ScopeMenu({ label, chosen, children }: ScopeMenuProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isOn = chosen.length > 0
  const text = chosen.length > 1 ? `${label} ${countText(chosen.length)}` : (chosen[0] ?? label)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={isOn ? `${label}: ${chosen.join(', ')}` : label}
        title={isOn ? chosen.join(', ') : undefined}
        onClick={() => setOpen(!open)}
        className={buttonClasses(
          'secondary',
          'md',
          classNames('gap-1.5 px-2.5', isOn && 'border-accent! text-accent-ink'),
        )}
      >
        <span className="max-w-40 truncate">{text}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={button} label={label} className="w-80 p-3">
        {children}
      </Popover>
    </>
  )
}
