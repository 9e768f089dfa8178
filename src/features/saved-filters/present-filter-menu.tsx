import { ChevronDown, EllipsisVertical } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/popover.tsx'
import { FilterActions } from './filter-actions.tsx'
import type { FilterTask, SavedFilterContext } from './saved-filter-context.ts'

export type PresentFilterMenuProps = {
  context: SavedFilterContext
  /** Beside the name on its tab, or as the other half of the primary button. */
  look: 'tab' | 'button'
}

/** What can be done with the saved filter that is shown. */
export function PresentFilterMenu({ context, look }: PresentFilterMenuProps) {
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
  const trigger = {
    ref: button,
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onClick: () => setOpen(!isOpen),
  } as const
  return (
    <>
      {look === 'tab' ? (
        <IconButton
          {...trigger}
          icon={EllipsisVertical}
          label={`ตัวเลือกของตัวกรอง ${filter.filterName}`}
          size="sm"
          className="-ml-2"
        />
      ) : (
        <Button
          {...trigger}
          look="primary"
          icon={ChevronDown}
          aria-label={`วิธีบันทึกอื่น ตัวกรอง ${filter.filterName}`}
          title="วิธีบันทึกอื่น"
          className="rounded-l-none touch:min-w-11"
        />
      )}
      <Popover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={button}
        label={`ตัวกรอง ${filter.filterName}`}
        className="w-72 py-1"
      >
        <FilterActions context={{ ...context, start }} filter={filter} onClose={close} />
      </Popover>
    </>
  )
}
