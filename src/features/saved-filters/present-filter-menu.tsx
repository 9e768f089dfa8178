import { EllipsisVertical } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/popover.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import type { FilterTask, SavedFilterContext } from './saved-filter-context.ts'

const load = () => import('./filter-actions.tsx')
const FilterActions = lazy(() => load().then((module) => ({ default: module.FilterActions })))
const preload = () => void load().catch(() => undefined)

/** What can be done with the saved filter that is shown; the panel's content is loaded when it opens. */
export function PresentFilterMenu({ context }: { context: SavedFilterContext }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { filter } = context.view
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
        icon={EllipsisVertical}
        label={`ตัวเลือกของตัวกรอง ${filter.filterName}`}
        size="sm"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(!isOpen)}
        className="-ml-2"
      />
      <Popover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={button}
        label={`ตัวกรอง ${filter.filterName}`}
        focus="panel"
        className="w-72 py-1"
      >
        <Suspense fallback={<Spinner label="กำลังโหลด" className="p-4" />}>
          <FilterActions context={{ ...context, start }} filter={filter} onClose={close} />
        </Suspense>
      </Popover>
    </>
  )
}
