import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { MAX_SAVED_FILTERS, type SavedFilter, savedFilterAddress, searchOfFilterData } from '#contract/saved-filter.ts'
import { countText } from '#src/lib/money-text.ts'
import { readReportAddress } from '#src/lib/report-address.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { MailSwitch } from './mail-switch.tsx'
import { RenameFilterForm } from './rename-filter-form.tsx'
import { deleteFilter, switchMail } from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'

type ManageFiltersProps = { context: SavedFilterContext; onDone: () => void }

/** All saved filters under each other: open, rename, mail, delete. */
export function ManageFilters({ context, onDone }: ManageFiltersProps) {
  const { filters } = context
  const [renamed, setRenamed] = useState<string>()
  if (filters.length === 0) return <p className="p-4 text-ink-muted">ยังไม่มีตัวกรองที่บันทึก</p>
  return (
    <>
      <p className="px-4 pt-3 text-xs text-ink-muted">
        {countText(filters.length)} จาก {MAX_SAVED_FILTERS} ตัวกรอง
      </p>
      <ul className="divide-y divide-line pb-2">
        {filters.map((filter) => (
          <li key={filter.id}>
            {renamed === filter.id ? (
              <RenameFilterForm context={context} id={filter.id} onDone={() => setRenamed(undefined)} />
            ) : (
              <Row context={context} filter={filter} onRename={() => setRenamed(filter.id)} onDone={onDone} />
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

type RowProps = { context: SavedFilterContext; filter: SavedFilter; onRename: () => void; onDone: () => void }

function Row({ context, filter, onRename, onDone }: RowProps) {
  const { search, open, wordsOf, isMailOn, isDemo } = context
  const { search: saved, ignored } = searchOfFilterData(filter.filterData)
  const words = wordsOf(saved)
  return (
    <div className="px-4 py-3">
      <div className="flex items-start gap-1">
        <button
          type="button"
          onClick={() => {
            onDone()
            open(readReportAddress(savedFilterAddress(filter, search)))
          }}
          className="min-h-7 min-w-0 flex-1 rounded-control text-left hover:underline touch:min-h-11"
        >
          <span className="block font-semibold text-accent-ink wrap-anywhere">{filter.filterName}</span>
        </button>
        <IconButton icon={Pencil} label={`เปลี่ยนชื่อ ${filter.filterName}`} size="sm" onClick={onRename} />
        <IconButton icon={Trash2} label={`ลบ ${filter.filterName}`} size="sm" onClick={() => deleteFilter(filter)} />
      </div>
      <p className="line-clamp-3 text-sm text-ink-muted wrap-anywhere">
        {words
          .map(({ label, value, negated }) => [label, negated && 'ไม่ใช่', value].filter(Boolean).join(' '))
          .join(' · ')}
      </p>
      {ignored.length > 0 && (
        <p className="text-xs text-updated">มี {countText(ignored.length)} ส่วนที่อ่านไม่ได้แล้วและจะไม่ถูกใช้กรอง</p>
      )}
      <div className="mt-1.5">
        <MailSwitch
          checked={filter.isSend}
          onChange={(on) => switchMail(filter, on)}
          isMailOn={isMailOn}
          isDemo={isDemo}
          of={filter.filterName}
        />
      </div>
    </div>
  )
}
