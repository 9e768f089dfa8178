import { BookmarkPlus, Copy, House, RotateCcw, Trash2, UserX } from 'lucide-react'
import { useState } from 'react'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { savedFilterAddress } from '#contract/report/saved-filter-search.ts'
import { useUser } from '#src/account/api/users.ts'
import { readReportAddress } from '#src/lib/report-address.ts'
import { patchTeamViews } from '#src/report/api/team-view-patches.ts'
import { Action } from './menu-action.tsx'
import { copyFilter } from './saved-filter-changes.ts'
import type { SavedFilterContext, ShownFilter } from './saved-filter-context.ts'

type TeamViewActionsProps = { context: SavedFilterContext; filter: ShownFilter; onClose: () => void }

/** Actions on a colleague's view: use it as start view or copy it; super users can unshare or delete it. */
export function TeamViewActions({ context, filter, onClose }: TeamViewActionsProps) {
  const { search, view: present, open, start, change, filters } = context
  const { role } = useUser()
  const [isSure, setSure] = useState(false)
  const { owner = 0, owner_name = '', id, filterName, filterData, isStart } = filter
  const view = { id, owner, owner_name, filterName, filterData }
  const of = { owner, filter_id: id }
  const isFull = filters.length >= MAX_SAVED_FILTERS
  const full = isFull ? ` (ครบ ${MAX_SAVED_FILTERS} แล้ว)` : ''
  const then = (act: () => void) => () => {
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
  const end = (action: 'unshare' | 'remove', what: string) =>
    patchTeamViews(
      { action: { action, ...of }, view },
      { failed: `${what} “${filterName}” ไม่สำเร็จ`, done: `${what} “${filterName}” แล้ว` },
    )
  return (
    <div>
      <p className="px-3 py-1 text-xs text-ink-muted">
        มุมมองทีมของ {owner_name} เปลี่ยนตามเจ้าของ อีเมลส่งให้เจ้าของเท่านั้น คัดลอกเป็นของคุณเพื่อแก้หรือรับอีเมล
      </p>
      {present.isModified && (
        <>
          <Action
            icon={RotateCcw}
            text="กลับเป็นค่าที่บันทึกไว้"
            onClick={then(() => open(readReportAddress(savedFilterAddress(filter, search))))}
          />
          <Action
            icon={BookmarkPlus}
            text={`บันทึกเป็นตัวกรองใหม่${full}`}
            disabled={!present.isFiltered || isFull}
            onClick={() => start({ kind: 'save' })}
          />
        </>
      )}
      <Action
        icon={House}
        text={isStart ? 'เลิกใช้เป็นมุมมองเริ่มต้น' : 'ใช้เป็นมุมมองเริ่มต้น'}
        onClick={then(() => void startWith(!isStart))}
      />
      <Action
        icon={Copy}
        text={`คัดลอกเป็นของฉัน${full}`}
        disabled={isFull}
        onClick={then(() => change({ saved: copyFilter(filter), page: search.page }, 'replace'))}
      />
      {role === 'super_user' && (
        <div className="mt-1 border-t border-line pt-1">
          <Action icon={UserX} text="เลิกแบ่งให้ทีม" onClick={then(() => void end('unshare', 'เลิกแบ่ง'))} />
          <Action
            icon={Trash2}
            text={isSure ? `ลบของ ${owner_name} แน่นอน เรียกคืนไม่ได้` : 'ลบตัวกรองของเจ้าของ'}
            danger
            onClick={isSure ? then(() => void end('remove', 'ลบตัวกรอง')) : () => setSure(true)}
          />
        </div>
      )}
    </div>
  )
}
