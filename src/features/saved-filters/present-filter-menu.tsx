import { ChevronDown, EllipsisVertical } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import type { FilterTask, SavedFilterContext } from './saved-filter-context.ts'

const load = () => import('./filter-actions.tsx')
const FilterActions = lazy(() => load().then((module) => ({ default: module.FilterActions })))
const preload = () => void load().catch(() => undefined)

const LOOKS = {
  tab: { icon: EllipsisVertical, says: 'ตัวเลือกของตัวกรอง', size: 'sm', className: '-ml-2' },
  button: {
    icon: ChevronDown,
    says: 'วิธีบันทึกอื่น ตัวกรอง',
    size: 'md',
    className: 'rounded-l-none bg-accent text-on-accent enabled:hover:bg-accent-hover enabled:hover:text-on-accent',
  },
} as const

type PresentFilterMenuProps = {
  context: SavedFilterContext
  /** Beside the name on its tab, or as the other half of the primary button. */
  look: keyof typeof LOOKS
}

/** What can be done with the saved filter that is shown; the panel's content is loaded when it opens. */
export function PresentFilterMenu({ context, look }: PresentFilterMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { filter } = context.view
  const { icon, says, size, className } = LOOKS[look]
  if (!filter) return null
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const start = (task: FilterTask) => {
    close()
    context.start(task)
  }
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={`${says} ${filter.filterName}`}
        size={size}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(!isOpen)}
        className={className}
      />
      <Popover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={button}
        label={`ตัวกรอง ${filter.filterName}`}
        className="w-72 py-1"
      >
        <Suspense fallback={<Spinner label="กำลังโหลด" className="p-4" />}>
          <FilterActions context={{ ...context, start }} filter={filter} onClose={close} />
        </Suspense>
      </Popover>
    </>
  )
}
