import { BookmarkPlus, type LucideIcon, Pencil, RotateCcw, Save, Trash2 } from 'lucide-react'
import { MAX_SAVED_FILTERS, type SavedFilter, savedFilterAddress } from '#contract/saved-filter.ts'
import { classNames } from '#src/lib/class-names.ts'
import { readReportAddress } from '#src/lib/report-address.ts'
import { MailNote, MailSwitch } from './mail-switch.tsx'
import { deleteFilter, switchMail } from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'
import { updateFilter } from './update-filter.ts'

type FilterActionsProps = { context: SavedFilterContext; filter: SavedFilter; onClose: () => void }

/** Actions on the saved filter that is shown. */
export function FilterActions({ context, filter, onClose }: FilterActionsProps) {
  const { search, view, open, start, isMailOn, isDemo, filters } = context
  const isFull = filters.length >= MAX_SAVED_FILTERS
  const then = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <div>
      {view.isModified && (
        <>
          <Action icon={Save} text="บันทึกทับ" onClick={then(() => updateFilter(filter, search))} />
          <Action
            icon={RotateCcw}
            text="กลับเป็นค่าที่บันทึกไว้"
            onClick={then(() => open(readReportAddress(savedFilterAddress(filter, search))))}
          />
        </>
      )}
      <Action
        icon={BookmarkPlus}
        text={isFull ? `บันทึกเป็นตัวกรองใหม่ (ครบ ${MAX_SAVED_FILTERS} แล้ว)` : 'บันทึกเป็นตัวกรองใหม่'}
        disabled={!view.isFiltered || isFull}
        onClick={() => start({ kind: 'save' })}
      />
      <Action icon={Pencil} text="เปลี่ยนชื่อ" onClick={() => start({ kind: 'rename', id: filter.id })} />
      <div className="my-1 border-y border-line px-3 py-2">
        <MailSwitch checked={filter.isSend} onChange={(on) => switchMail(filter, on)} isDemo={isDemo} />
        <MailNote isMailOn={isMailOn} isDemo={isDemo} className="pl-6.5 text-xs text-ink-muted" />
      </div>
      <Action icon={Trash2} text="ลบตัวกรอง" danger onClick={then(() => deleteFilter(filter))} />
    </div>
  )
}

type ActionProps = { icon: LucideIcon; text: string; onClick: () => void; danger?: boolean; disabled?: boolean }

function Action({ icon: Icon, text, onClick, danger = false, disabled = false }: ActionProps) {
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
