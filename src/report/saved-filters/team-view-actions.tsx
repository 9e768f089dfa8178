import { BookmarkPlus, Copy, House, RotateCcw, Trash2, UserX } from 'lucide-react'
import { useState } from 'react'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { buildSavedFilterSearch } from '#contract/report/saved-filter-search.ts'
import { useUser } from '#src/account/api/users.ts'
import { toReportUrlSearch } from '#src/lib/report-url.ts'
import { patchTeamViews } from '#src/report/api/team-view-patches.ts'
import { MenuActionButton } from './menu-action-button.tsx'
import { copySavedFilter } from './saved-filter-changes.ts'
import type { SavedFilterContext, VisibleSavedFilter } from './saved-filter-context.ts'

type TeamViewActionsProps = { context: SavedFilterContext; filter: VisibleSavedFilter; onClose: () => void }

export function TeamViewActions({ context, filter, onClose }: TeamViewActionsProps) {
  const { search, view: currentView, open, start, change, filters } = context
  const { role } = useUser()
  const [isSure, setSure] = useState(false)
  const { owner = 0, owner_name = '', id, filterName, filterData, isStart } = filter
  const view = { id, owner, owner_name, filterName, filterData }
  const of = { owner, filter_id: id }
  const isFull = filters.length >= MAX_SAVED_FILTERS
  const full = isFull ? ` (ครบ ${MAX_SAVED_FILTERS} แล้ว)` : ''
  const closeThen = (act: () => void) => () => {
    onClose()
    act()
  }
  const startWith = (is_start: boolean) =>
    patchTeamViews(
      { action: { action: 'start', ...of, is_start }, view },
      {
        failed: 'เปลี่ยนมุมมองเริ่มต้นไม่สำเร็จ',
        done: is_start ? `เปิดรายงานด้วย “${filterName}” ทุกครั้ง` : 'เปิดรายงานด้วยโครงการที่เปิดรับข้อเสนอทุกครั้ง',
      },
    )
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
          <MenuActionButton
            icon={RotateCcw}
            text="กลับเป็นค่าที่บันทึกไว้"
            onClick={closeThen(() => open(toReportUrlSearch(buildSavedFilterSearch(filter, search))))}
          />
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
