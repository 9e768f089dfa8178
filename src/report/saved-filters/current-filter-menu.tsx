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
import type { SavedFilterContext, VisibleSavedFilter } from './saved-filter-context.ts'
import { FilterHitRateLine } from './saved-filter-hit-rate.tsx'

type MenuAction = {
  /** Required if the text changes while the menu is open, because the button would lose the focus. */
  id?: string
  icon: LucideIcon
  text: string
  run: () => void
  staysOpen?: boolean
  danger?: boolean
  disabled?: boolean
}
type FilterActionsProps = { context: SavedFilterContext; filter: VisibleSavedFilter; close: () => void }
type ActionButtonsProps = Pick<FilterActionsProps, 'close'> & { actions: readonly (MenuAction | false)[] }

function ActionButtons({ actions, close }: ActionButtonsProps) {
  return actions
    .filter((action) => action !== false)
    .map(({ icon: Icon, text, id = text, run, staysOpen = false, danger = false, disabled = false }) => (
      <button
        key={id}
        type="button"
        disabled={disabled}
        onClick={() => {
          if (!staysOpen) close()
          run()
        }}
        className={classNames(
          'flex min-h-9 w-full items-center gap-2.5 px-3 text-left focus-visible:-outline-offset-2 enabled:hover:bg-surface-muted disabled:opacity-50 touch:min-h-11',
          danger && 'text-urgent',
        )}
      >
        <Icon aria-hidden className={classNames('size-4 shrink-0', !danger && 'text-ink-faint')} />
        {text}
      </button>
    ))
}

const isFull = ({ filters }: SavedFilterContext) => filters.length >= MAX_SAVED_FILTERS
const fullText = (context: SavedFilterContext) => (isFull(context) ? ` (ครบ ${MAX_SAVED_FILTERS} แล้ว)` : '')

const getRevertAction = ({ open, search }: SavedFilterContext, filter: VisibleSavedFilter): MenuAction => ({
  icon: RotateCcw,
  text: 'กลับเป็นค่าที่บันทึกไว้',
  run: () => open(toReportUrlSearch(buildSavedFilterSearch(filter, search))),
})
const getSaveAction = (context: SavedFilterContext): MenuAction => ({
  icon: BookmarkPlus,
  text: `บันทึกเป็นตัวกรองใหม่${fullText(context)}`,
  disabled: !context.view.isFiltered || isFull(context),
  run: () => context.start({ kind: 'save' }),
})
const getStartAction = ({ isStart }: VisibleSavedFilter, setStart: (isStart: boolean) => void): MenuAction => ({
  icon: House,
  text: isStart ? 'เลิกใช้เป็นมุมมองเริ่มต้น' : 'ใช้เป็นมุมมองเริ่มต้น',
  run: () => setStart(!isStart),
})

function FilterActions({ context, filter, close }: FilterActionsProps) {
  const { search, view, start } = context
  return (
    <div>
      <ActionButtons
        close={close}
        actions={[
          view.isModified && { icon: Save, text: 'บันทึกทับ', run: () => updateSavedFilter(filter, search) },
          view.isModified && getRevertAction(context, filter),
          getSaveAction(context),
          { icon: Pencil, text: 'เปลี่ยนชื่อ', run: () => start({ kind: 'rename', id: filter.id }) },
          !isDemoSession() && {
            icon: Users,
            text: filter.isShared ? 'เลิกแบ่งให้ทีม' : 'แบ่งให้ทีม',
            run: () => updateSavedFilterSharing(filter, !filter.isShared),
          },
          getStartAction(filter, (isStart) => setSavedFilterAsStartView(filter, isStart)),
        ]}
      />
      <div className="my-1 border-y border-line px-3 py-2">
        <SavedFilterMailSwitch checked={filter.isSend} onChange={(on) => setSavedFilterMailEnabled(filter, on)} />
        <SavedFilterMailSwitchNote className="pl-6.5 text-xs text-ink-muted" />
        <FilterHitRateLine id={filter.id} />
      </div>
      <ActionButtons
        close={close}
        actions={[
          { icon: ListX, text: 'งานที่ตัวกรองไม่เห็น', run: () => start({ kind: 'manage' }) },
          { icon: Trash2, text: 'ลบตัวกรอง', danger: true, run: () => deleteSavedFilter(filter) },
        ]}
      />
    </div>
  )
}

function TeamViewActions({ context, filter, close }: FilterActionsProps) {
  const { search, view: currentView, change } = context
  const { role } = useUser()
  const [isSure, setSure] = useState(false)
  const { owner = 0, owner_name = '', id, filterName, filterData } = filter
  const view = { id, owner, owner_name, filterName, filterData }
  const of = { owner, filter_id: id }
  const setStart = (is_start: boolean) =>
    void patchTeamViews(
      { action: { action: 'start', ...of, is_start }, view },
      getStartViewMessages(filterName, is_start),
    )
  const endSharing = (action: 'unshare' | 'remove', actionText: string) =>
    void patchTeamViews(
      { action: { action, ...of }, view },
      { failed: `${actionText} “${filterName}” ไม่สำเร็จ`, done: `${actionText} “${filterName}” แล้ว` },
    )
  return (
    <div>
      <p className="px-3 py-1 text-xs text-ink-muted">
        มุมมองทีมของ {owner_name} เปลี่ยนตามเจ้าของ อีเมลส่งให้เจ้าของเท่านั้น คัดลอกเป็นของคุณเพื่อแก้หรือรับอีเมล
      </p>
      <ActionButtons
        close={close}
        actions={[
          currentView.isModified && getRevertAction(context, filter),
          currentView.isModified && getSaveAction(context),
          getStartAction(filter, setStart),
          {
            icon: Copy,
            text: `คัดลอกเป็นของฉัน${fullText(context)}`,
            disabled: isFull(context),
            run: () => change({ saved: copySavedFilter(filter), page: search.page }, 'replace'),
          },
        ]}
      />
      {role === 'super_user' && (
        <div className="mt-1 border-t border-line pt-1">
          <ActionButtons
            close={close}
            actions={[
              { icon: UserX, text: 'เลิกแบ่งให้ทีม', run: () => endSharing('unshare', 'เลิกแบ่ง') },
              {
                id: 'delete',
                icon: Trash2,
                text: isSure ? `ลบของ ${owner_name} แน่นอน เรียกคืนไม่ได้` : 'ลบตัวกรองของเจ้าของ',
                danger: true,
                staysOpen: !isSure,
                run: () => (isSure ? endSharing('remove', 'ลบตัวกรอง') : setSure(true)),
              },
            ]}
          />
        </div>
      )}
    </div>
  )
}

export function CurrentFilterMenu({ context }: { context: SavedFilterContext }) {
  const { buttonProps, popoverProps, closeAndFocusButton } = usePopover()
  const { filter } = context.view
  if (!filter) return null
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
        <Actions context={context} filter={filter} close={closeAndFocusButton} />
      </Popover>
    </>
  )
}
