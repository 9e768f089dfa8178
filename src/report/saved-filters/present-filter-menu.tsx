import {
  BookmarkPlus,
  ChevronDown,
  EllipsisVertical,
  House,
  ListX,
  Pencil,
  RotateCcw,
  Save,
  Trash2,
  Users,
} from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_SAVED_FILTERS, type SavedFilter } from '#contract/account/saved-filter.ts'
import { savedFilterUrlParams } from '#contract/report/saved-filter-search.ts'
import { readReportAddress } from '#src/lib/report-address.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover } from '#src/ui/overlay/popover.tsx'
import { RecallLine } from './filter-recall.tsx'
import { MailSwitch, MailSwitchNote } from './mail-switch.tsx'
import { MenuAction } from './menu-action.tsx'
import { deleteSavedFilter, setMailSwitch, setStartView, shareFilter } from './saved-filter-changes.ts'
import type { FilterDialogTask, SavedFilterContext } from './saved-filter-context.ts'
import { TeamViewActions } from './team-view-actions.tsx'
import { updateFilter } from './update-filter.ts'

type FilterActionsProps = { context: SavedFilterContext; filter: SavedFilter; onClose: () => void }

function FilterActions({ context, filter, onClose }: FilterActionsProps) {
  const { search, view, open, start, isMailOn, isDemo, filters } = context
  const isFull = filters.length >= MAX_SAVED_FILTERS
  const closeThen = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <div>
      {view.isModified && (
        <>
          <MenuAction icon={Save} text="บันทึกทับ" onClick={closeThen(() => updateFilter(filter, search))} />
          <MenuAction
            icon={RotateCcw}
            text="กลับเป็นค่าที่บันทึกไว้"
            onClick={closeThen(() => open(readReportAddress(savedFilterUrlParams(filter, search))))}
          />
        </>
      )}
      <MenuAction
        icon={BookmarkPlus}
        text={isFull ? `บันทึกเป็นตัวกรองใหม่ (ครบ ${MAX_SAVED_FILTERS} แล้ว)` : 'บันทึกเป็นตัวกรองใหม่'}
        disabled={!view.isFiltered || isFull}
        onClick={() => start({ kind: 'save' })}
      />
      <MenuAction icon={Pencil} text="เปลี่ยนชื่อ" onClick={() => start({ kind: 'rename', id: filter.id })} />
      {!isDemo && (
        <MenuAction
          icon={Users}
          text={filter.isShared ? 'เลิกแบ่งให้ทีม' : 'แบ่งให้ทีม'}
          onClick={closeThen(() => shareFilter(filter, !filter.isShared))}
        />
      )}
      <MenuAction
        icon={House}
        text={filter.isStart ? 'เลิกใช้เป็นมุมมองเริ่มต้น' : 'ใช้เป็นมุมมองเริ่มต้น'}
        onClick={closeThen(() => setStartView(filter, !filter.isStart))}
      />
      <div className="my-1 border-y border-line px-3 py-2">
        <MailSwitch checked={filter.isSend} onChange={(on) => setMailSwitch(filter, on)} isDemo={isDemo} />
        <MailSwitchNote isMailOn={isMailOn} isDemo={isDemo} className="pl-6.5 text-xs text-ink-muted" />
        <RecallLine id={filter.id} />
      </div>
      <MenuAction icon={ListX} text="งานที่ตัวกรองไม่เห็น" onClick={() => start({ kind: 'manage' })} />
      <MenuAction icon={Trash2} text="ลบตัวกรอง" danger onClick={closeThen(() => deleteSavedFilter(filter))} />
    </div>
  )
}

export type PresentFilterMenuProps = {
  context: SavedFilterContext
  variant: 'tab' | 'button'
}

export function PresentFilterMenu({ context, variant }: PresentFilterMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { filter } = context.view
  if (!filter) return null
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const start = (task: FilterDialogTask) => {
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
      {variant === 'tab' ? (
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
          variant="primary"
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
        {filter.owner === undefined ? (
          <FilterActions context={{ ...context, start }} filter={filter} onClose={close} />
        ) : (
          <TeamViewActions context={{ ...context, start }} filter={filter} onClose={close} />
        )}
      </Popover>
    </>
  )
}
