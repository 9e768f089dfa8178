import { RotateCcw, Search } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ColumnLayout } from '#contract/column.ts'
import { DEFAULT_COLUMN_ORDER, type ReportColumnField } from '#contract/report-columns.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import {
  columnTitle,
  DEFAULT_LAYOUT,
  foundColumns,
  shownCount,
  withMoved,
  withPinned,
  withShown,
} from './column-draft.ts'
import { ColumnList } from './column-list.tsx'

const ALL = DEFAULT_COLUMN_ORDER.length

type ColumnsEditorProps = {
  draft: ColumnLayout
  /** Takes a change of the draft that stands when it is carried out: a drag reports several before the next drawing. */
  onDraft: (change: (now: ColumnLayout) => ColumnLayout) => void
  /** Told to screen readers. */
  onSay: (text: string) => void
  /** Looks of the bar with the search box, and of the box. */
  className: string
  searchClassName?: string
  /** Right of "all columns". */
  trailing?: ReactNode
}

/** The columns to search, show, order and pin. */
export function ColumnsEditor({ draft, onDraft, onSay, className, searchClassName, trailing }: ColumnsEditorProps) {
  const [sought, setSought] = useState('')
  const sayPlace = (field: ReportColumnField, at: number) =>
    onSay(`ย้าย ${columnTitle(field)} ไปลำดับ ${at + 1} จาก ${ALL}`)
  return (
    <>
      <div className={className}>
        <TextField
          label="ค้นคอลัมน์"
          hideLabel
          icon={Search}
          type="search"
          placeholder="ค้นคอลัมน์"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          {...(searchClassName ? { className: searchClassName } : {})}
        />
        <CheckAll draft={draft} sought={sought} onDraft={onDraft} trailing={trailing} />
      </div>
      <ColumnList
        draft={draft}
        sought={sought}
        onShow={(field, shown) => onDraft((now) => withShown(now, [field], shown))}
        onPin={(field, pinned) => onDraft((now) => withPinned(now, field, pinned))}
        onMove={(field, to) => {
          onDraft((now) => withMoved(now, field, to))
          sayPlace(field, to)
        }}
        onDrag={(field, to) => onDraft((now) => withMoved(now, field, to))}
        onDrop={sayPlace}
      />
    </>
  )
}

type CheckAllProps = Pick<ColumnsEditorProps, 'draft' | 'onDraft' | 'trailing'> & { sought: string }

function CheckAll({ draft, sought, onDraft, trailing }: CheckAllProps) {
  const found = foundColumns(draft, sought)
  const shown = found.filter((field) => !draft.hidden.has(field)).length
  const isAll = shown > 0 && shown === found.length
  return (
    <Checkbox
      checked={isAll}
      indeterminate={shown > 0 && !isAll}
      disabled={found.length === 0}
      onChange={() => onDraft((now) => withShown(now, found, !isAll))}
      className="mt-2"
      trailing={trailing}
    >
      {sought.trim() === '' ? 'ทุกคอลัมน์' : 'ทุกคอลัมน์ที่ค้นพบ'}
    </Checkbox>
  )
}

type ColumnsButtonsProps = Pick<ColumnsEditorProps, 'draft' | 'onDraft' | 'onSay'> & {
  /** Absent where there is nothing to leave. */
  onCancel?: (() => void) | undefined
  canSave: boolean
  onSave: () => void
}

/** Reset, cancel and save; saving is refused, with the reason, when no column is checked (specification section 4). */
export function ColumnsButtons({ draft, onDraft, onSay, onCancel, canSave, onSave }: ColumnsButtonsProps) {
  const reasonId = useId()
  const isRefused = shownCount(draft) === 0
  return (
    <>
      <Button
        look="quiet"
        icon={RotateCcw}
        className="mr-auto"
        onClick={() => {
          onDraft(() => DEFAULT_LAYOUT)
          onSay('คืนค่าเริ่มต้นแล้ว แสดงทุกคอลัมน์ กดบันทึกเพื่อใช้')
        }}
      >
        คืนค่าเริ่มต้น
      </Button>
      {onCancel && <Button onClick={onCancel}>ยกเลิก</Button>}
      <Button
        look="primary"
        disabled={!canSave || isRefused}
        aria-describedby={isRefused ? reasonId : undefined}
        onClick={onSave}
      >
        บันทึก
      </Button>
      {isRefused && (
        <p id={reasonId} role="alert" className="w-full text-right text-sm text-urgent">
          เลือกอย่างน้อย 1 คอลัมน์ จึงจะบันทึกได้
        </p>
      )}
    </>
  )
}
