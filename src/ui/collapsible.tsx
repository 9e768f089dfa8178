import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type CollapsibleProps = {
  title: string
  heading?: 'h2' | 'h3'
  badge?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: ReactNode
}

export function Collapsible({ title, heading: Heading = 'h3', badge, open, onOpenChange, children }: CollapsibleProps) {
  const [isOpenUncontrolled, setIsOpenUncontrolled] = useState(false)
  const isOpen = open ?? isOpenUncontrolled
  const id = useId()
  return (
    <section className={Heading === 'h3' ? 'border-b border-line py-3' : 'py-3'}>
      <Heading>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => {
            setIsOpenUncontrolled(!isOpen)
            onOpenChange?.(!isOpen)
          }}
          className={classNames(
            'flex w-full items-center gap-2 rounded-control text-left font-semibold touch:min-h-11',
            Heading === 'h2' && 'text-lg',
          )}
        >
          <span className="min-w-0 flex-1">{title}</span>
          {badge}
          <ChevronDown
            aria-hidden
            className={classNames('size-4 shrink-0 text-ink-faint transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </Heading>
      {isOpen && (
        <div id={id} className="pt-2">
          {children}
        </div>
      )}
    </section>
  )
}
