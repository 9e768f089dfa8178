import { ChevronDown } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { Popover } from '#src/ui/popover.tsx'

type FilterButtonProps = {
  name: string
  /** What is chosen, in words; undefined: nothing. */
  chosen: string | undefined
  /** Of the panel; `close` is for choices of one. */
  children: (close: () => void) => ReactNode
}

/** A filter as a button that says what it holds; its panel is drawn, and what it needs asked for, when it is opened. */
export function FilterButton({ name, chosen, children }: FilterButtonProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={classNames(
          buttonClasses('secondary', 'sm', 'max-w-64'),
          chosen !== undefined && 'border-accent-line! bg-accent-soft! text-accent-ink!',
        )}
      >
        <span className="min-w-0 truncate">
          {name}
          {chosen !== undefined && <span className="font-normal">: {chosen}</span>}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0" />
      </button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={button} label={`ตัวกรอง${name}`} className="w-80 p-3">
        {children(close)}
      </Popover>
    </>
  )
}
