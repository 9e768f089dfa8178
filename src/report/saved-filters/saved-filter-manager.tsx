import { House, Pencil, Trash2, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_SAVED_FILTERS, type SavedFilter } from '#contract/account/saved-filter.ts'
import { buildSavedFilterSearch, parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { toReportUrlSearch } from '#src/lib/report-url.ts'
import { useFilterTexts } from '#src/report/filter/use-filter-texts.ts'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { SavedFilterMailSwitch, SavedFilterMailSwitchNote } from './filter-mail-switch.tsx'
import { buildAccessibleSavedFilterName } from './filter-name.ts'
import { RenameSavedFilterForm } from './rename-filter-form.tsx'
import {
  deleteSavedFilter,
  setSavedFilterAsStartView,
  setSavedFilterMailEnabled,
  updateSavedFilterSharing,
} from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'
import { SavedFilterHitRate, WatchListHitRate } from './saved-filter-hit-rate.tsx'

type FilterListContext = Pick<SavedFilterContext, 'filters' | 'search' | 'open'>
export function SavedFilterManager({ context, onDone }: { context: FilterListContext; onDone: () => void }) {
  const { filters } = context
  const [rename, setRename] = useState<{ readonly id: string; readonly isOpen: boolean }>()
  const list = useRef<HTMLUListElement>(null)
  if (filters.length === 0)
    return (
      <p className="p-4 text-ink-muted">
        ยังไม่มีตัวกรองที่บันทึก กรองหรือค้นในรายงาน แล้วกดบันทึกตัวกรอง ตัวกรองจะเป็นแท็บและส่งทางอีเมลได้
      </p>
    )
  return (
    <>
      <div className="flex flex-wrap justify-between gap-x-4 px-4 pt-3 text-xs text-ink-muted">
        <p>
          {formatCount(filters.length)} จาก {MAX_SAVED_FILTERS} ตัวกรอง
        </p>
        <SavedFilterMailSwitchNote />
      </div>
      <WatchListHitRate onLeave={onDone} className="px-4 pt-2" />
      <ul ref={list} tabIndex={-1} aria-label="ตัวกรองที่บันทึก" className="divide-y divide-line pb-2 outline-none">
        {filters.map((filter) => (
          <li key={filter.id}>
            {rename?.isOpen && rename.id === filter.id ? (
              <RenameSavedFilterForm
                context={context}
                id={filter.id}
                onDone={() => setRename({ id: filter.id, isOpen: false })}
              />
            ) : (
              <Row
                context={context}
                filter={filter}
                wasRenaming={rename?.id === filter.id}
                onRename={() => setRename({ id: filter.id, isOpen: true })}
                onDelete={() => {
                  // The button unmounts with its row, so move the focus to the list.
                  list.current?.focus()
                  deleteSavedFilter(filter)
                }}
                onDone={onDone}
              />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type RowProps = {
  context: FilterListContext
  filter: SavedFilter
  /** True after the rename form has closed, which returns the focus to the rename button. */
  wasRenaming: boolean
  onRename: () => void
  onDelete: () => void
  onDone: () => void
}

function Row({ context, filter, wasRenaming, onRename, onDelete, onDone }: RowProps) {
  const { search, open } = context
  const { search: saved, ignored } = parseFilterCriteria(filter.filterData)
  const { texts } = useFilterTexts(saved)
  return (
    <div className="px-4 py-3">
      <div className="flex items-start gap-1">
        <TextButton
          onClick={() => {
            onDone()
            open(toReportUrlSearch(buildSavedFilterSearch(filter, search)))
          }}
          className="min-h-7 min-w-0 flex-1 text-left font-semibold wrap-anywhere"
        >
          {filter.filterName}
        </TextButton>
        <IconButton
          icon={House}
          label={`เปิดรายงานด้วย ${filter.filterName} ทุกครั้ง`}
          size="sm"
          aria-pressed={filter.isStart}
          className={filter.isStart ? 'text-accent-ink' : undefined}
          onClick={() => setSavedFilterAsStartView(filter, !filter.isStart)}
        />
        {!isDemoSession() && (
          <IconButton
            icon={Users}
            label={filter.isShared ? `เลิกแบ่ง ${filter.filterName} ให้ทีม` : `แบ่ง ${filter.filterName} ให้ทีม`}
            size="sm"
            aria-pressed={filter.isShared === true}
            className={filter.isShared ? 'text-accent-ink' : undefined}
            onClick={() => updateSavedFilterSharing(filter, !filter.isShared)}
          />
        )}
        <IconButton
          icon={Pencil}
          label={`เปลี่ยนชื่อ ${filter.filterName}`}
          size="sm"
          ref={wasRenaming ? focusOnMount : undefined}
          onClick={onRename}
        />
        <IconButton icon={Trash2} label={`ลบ ${filter.filterName}`} size="sm" onClick={onDelete} />
      </div>
      <p className="line-clamp-3 text-sm text-ink-muted wrap-anywhere">{buildAccessibleSavedFilterName(texts)}</p>
      {ignored.length > 0 && (
        <p className="text-xs text-updated">มี {formatCount(ignored.length)} ส่วนที่อ่านไม่ได้แล้ว จึงไม่ได้ใช้กรอง</p>
      )}
      <SavedFilterHitRate id={filter.id} search={saved} onLeave={onDone} />
      <div className="mt-1">
        <SavedFilterMailSwitch
          checked={filter.isSend}
          onChange={(on) => setSavedFilterMailEnabled(filter, on)}
          of={filter.filterName}
        />
      </div>
    </div>
  )
}
