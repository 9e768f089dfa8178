import {
  BookmarkPlus,
  Copy,
  EllipsisVertical,
  House,
  ListX,
  type LucideIcon,
  Pencil,
  RotateCcw,
  Save,
  Trash2,
  Users,
  UserX,
} from 'lucide-react'
import { useState } from 'react'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { buildSavedFilterSearch } from '#contract/report/saved-filter-search.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { toReportUrlSearch } from '#src/lib/report-url.ts'
import { patchTeamViews } from '#src/report/api/team-view-patches.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { SavedFilterMailSwitch, SavedFilterMailSwitchNote } from './filter-mail-switch.tsx'
import {
  copySavedFilter,
  deleteSavedFilter,
  getStartViewMessages,
  setSavedFilterAsStartView,
  setSavedFilterMailEnabled,
  updateSavedFilter,
  updateSavedFilterSharing,
} from './saved-filter-changes.ts'
import type { SavedFilterContext, SavedFilterDialogTask, VisibleSavedFilter } from './saved-filter-context.ts'
import { FilterHitRateLine } from './saved-filter-hit-rate.tsx'

type FilterActionsProps = {
  context: SavedFilterContext
  filter: VisibleSavedFilter
  /** Returns a handler that closes the menu, then acts. */
  closeThen: (act: () => void) => () => void
}

const FULL_TEXT = ` (ครบ ${MAX_SAVED_FILTERS} แล้ว)`

function FilterActions({ context, filter, closeThen }: FilterActionsProps) {
  const { search, view, start, filters } = context
  const isFull = filters.length >= MAX_SAVED_FILTERS
  return (
    <div>
      {view.isModified && (
        <>
          <MenuActionButton icon={Save} text="บันทึกทับ" onClick={closeThen(() => updateSavedFilter(filter, search))} />
          <RevertButton context={context} filter={filter} closeThen={closeThen} />
        </>
      )}
      <MenuActionButton
        icon={BookmarkPlus}
        text={`บันทึกเป็นตัวกรองใหม่${isFull ? FULL_TEXT : ''}`}
        disabled={!view.isFiltered || isFull}
        onClick={() => start({ kind: 'save' })}
      />
      <MenuActionButton icon={Pencil} text="เปลี่ยนชื่อ" onClick={() => start({ kind: 'rename', id: filter.id })} />
      {!isDemoSession() && (
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
        <SavedFilterMailSwitch checked={filter.isSend} onChange={(on) => setSavedFilterMailEnabled(filter, on)} />
        <SavedFilterMailSwitchNote className="pl-6.5 text-xs text-ink-muted" />
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
  const closeThen = (act: () => void) => () => {
    close()
    act()
  }
  const Actions = filter.owner === undefined ? FilterActions : TeamViewActions
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
        <Actions context={{ ...context, start }} filter={filter} closeThen={closeThen} />
      </Popover>
    </>
  )
}

type ActionProps = { icon: LucideIcon; text: string; onClick: () => void; danger?: boolean; disabled?: boolean }

function RevertButton({ context: { open, search }, filter, closeThen }: FilterActionsProps) {
  return (
    <MenuActionButton
      icon={RotateCcw}
      text="กลับเป็นค่าที่บันทึกไว้"
      onClick={closeThen(() => open(toReportUrlSearch(buildSavedFilterSearch(filter, search))))}
    />
  )
}

function MenuActionButton({ icon: Icon, text, onClick, danger = false, disabled = false }: ActionProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onClick}
      className={classNames(
        'flex min-h-9 w-full items-center gap-2.5 px-3 text-left focus-visible:-outline-offset-2 enabled:hover:bg-surface-muted disabled:opacity-50 touch:min-h-11',
        danger && 'text-urgent',
      )}
    >
      <Icon aria-hidden className={classNames('size-4 shrink-0', !danger && 'text-ink-faint')} />
      {text}
    </button>
  )
}

function TeamViewActions({ context, filter, closeThen }: FilterActionsProps) {
  const { search, view: currentView, start, change, filters } = context
  const { role } = useUser()
  const [isSure, setSure] = useState(false)
  const { owner = 0, owner_name = '', id, filterName, filterData, isStart } = filter
  const view = { id, owner, owner_name, filterName, filterData }
  const of = { owner, filter_id: id }
  const isFull = filters.length >= MAX_SAVED_FILTERS
  const full = isFull ? FULL_TEXT : ''
  const startWith = (is_start: boolean) =>
    patchTeamViews({ action: { action: 'start', ...of, is_start }, view }, getStartViewMessages(filterName, is_start))
  const endSharing = (action: 'unshare' | 'remove', actionText: string) =>
    patchTeamViews(
      { action: { action, ...of }, view },
      { failed: `${actionText} “${filterName}” ไม่สำเร็จ`, done: `${actionText} “${filterName}” แล้ว` },
    )
  return (
    <div>
      <p className="px-3 py-1 text-xs text-ink-muted">
        มุมมองทีมของ {owner_name} เปลี่ยนตามเจ้าของ อีเมลส่งให้เจ้าของเท่านั้น คัดลอกเป็นของคุณเพื่อแก้หรือรับอีเมล
      </p>
      {currentView.isModified && (
        <>
          <RevertButton context={context} filter={filter} closeThen={closeThen} />
          <MenuActionButton
            icon={BookmarkPlus}
            text={`บันทึกเป็นตัวกรองใหม่${full}`}
            disabled={!currentView.isFiltered || isFull}
            onClick={() => start({ kind: 'save' })}
          />
        </>
      )}
      <MenuActionButton
        icon={House}
        text={isStart ? 'เลิกใช้เป็นมุมมองเริ่มต้น' : 'ใช้เป็นมุมมองเริ่มต้น'}
        onClick={closeThen(() => void startWith(!isStart))}
      />
      <MenuActionButton
        icon={Copy}
        text={`คัดลอกเป็นของฉัน${full}`}
        disabled={isFull}
        onClick={closeThen(() => change({ saved: copySavedFilter(filter), page: search.page }, 'replace'))}
      />
      {role === 'super_user' && (
        <div className="mt-1 border-t border-line pt-1">
          <MenuActionButton
            icon={UserX}
            text="เลิกแบ่งให้ทีม"
            onClick={closeThen(() => void endSharing('unshare', 'เลิกแบ่ง'))}
          />
          <MenuActionButton
            icon={Trash2}
            text={isSure ? `ลบของ ${owner_name} แน่นอน เรียกคืนไม่ได้` : 'ลบตัวกรองของเจ้าของ'}
            danger
            onClick={isSure ? closeThen(() => void endSharing('remove', 'ลบตัวกรอง')) : () => setSure(true)}
          />
        </div>
      )}
    </div>
  )
}
