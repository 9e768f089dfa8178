import { BookmarkPlus, EllipsisVertical, House, ListX, Pencil, RotateCcw, Save, Trash2, Users } from 'lucide-react'
import { MAX_SAVED_FILTERS, type SavedFilter } from '#contract/account/saved-filter.ts'
import { buildSavedFilterSearch } from '#contract/report/saved-filter-search.ts'
import { toReportUrlSearch } from '#src/lib/report-url.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { SavedFilterMailSwitch, SavedFilterMailSwitchNote } from './filter-mail-switch.tsx'
import { MenuActionButton } from './menu-action-button.tsx'
import {
  deleteSavedFilter,
  setSavedFilterAsStartView,
  setSavedFilterMailEnabled,
  updateSavedFilterSharing,
} from './saved-filter-changes.ts'
import type { SavedFilterContext, SavedFilterDialogTask } from './saved-filter-context.ts'
import { FilterHitRateLine } from './saved-filter-hit-rate.tsx'
import { TeamViewActions } from './team-view-actions.tsx'
import { updateSavedFilter } from './update-saved-filter.ts'

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
          <MenuActionButton icon={Save} text="บันทึกทับ" onClick={closeThen(() => updateSavedFilter(filter, search))} />
          <MenuActionButton
            icon={RotateCcw}
            text="กลับเป็นค่าที่บันทึกไว้"
            onClick={closeThen(() => open(toReportUrlSearch(buildSavedFilterSearch(filter, search))))}
          />
        </>
      )}
      <MenuActionButton
        icon={BookmarkPlus}
        text={isFull ? `บันทึกเป็นตัวกรองใหม่ (ครบ ${MAX_SAVED_FILTERS} แล้ว)` : 'บันทึกเป็นตัวกรองใหม่'}
        disabled={!view.isFiltered || isFull}
        onClick={() => start({ kind: 'save' })}
      />
      <MenuActionButton icon={Pencil} text="เปลี่ยนชื่อ" onClick={() => start({ kind: 'rename', id: filter.id })} />
      {!isDemo && (
        <MenuActionButton
          icon={Users}
          text={filter.isShared ? 'เลิกแบ่งให้ทีม' : 'แบ่งให้ทีม'}
          onClick={closeThen(() => updateSavedFilterSharing(filter, !filter.isShared))}
        />
      )}
      <MenuActionButton
        icon={House}
        text={filter.isStart ? 'เลิกใช้เป็นมุมมองเริ่มต้น' : 'ใช้เป็นมุมมองเริ่มต้น'}
        onClick={closeThen(() => setSavedFilterAsStartView(filter, !filter.isStart))}
      />
      <div className="my-1 border-y border-line px-3 py-2">
        <SavedFilterMailSwitch
          checked={filter.isSend}
          onChange={(on) => setSavedFilterMailEnabled(filter, on)}
          isDemo={isDemo}
        />
        <SavedFilterMailSwitchNote isMailOn={isMailOn} isDemo={isDemo} className="pl-6.5 text-xs text-ink-muted" />
        <FilterHitRateLine id={filter.id} />
      </div>
      <MenuActionButton icon={ListX} text="งานที่ตัวกรองไม่เห็น" onClick={() => start({ kind: 'manage' })} />
      <MenuActionButton icon={Trash2} text="ลบตัวกรอง" danger onClick={closeThen(() => deleteSavedFilter(filter))} />
    </div>
  )
}

export function CurrentFilterMenu({ context }: { context: SavedFilterContext }) {
  const { buttonProps, popoverProps, closeAndFocusButton: close } = usePopover()
  const { filter } = context.view
  if (!filter) return null
  const start = (task: SavedFilterDialogTask) => {
    close()
    context.start(task)
  }
  return (
    <>
      <IconButton
        {...buttonProps}
        icon={EllipsisVertical}
        label={`ตัวเลือกของตัวกรอง ${filter.filterName}`}
        size="sm"
        className="-ml-2"
      />
      <Popover {...popoverProps} label={`ตัวกรอง ${filter.filterName}`} className="w-72 py-1">
        {filter.owner === undefined ? (
          <FilterActions context={{ ...context, start }} filter={filter} onClose={close} />
        ) : (
          <TeamViewActions context={{ ...context, start }} filter={filter} onClose={close} />
        )}
      </Popover>
    </>
  )
}
