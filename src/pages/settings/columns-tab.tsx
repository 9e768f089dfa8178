import { RotateCcw, Search } from 'lucide-react'
import { useId, useState } from 'react'
import { type ColumnLayout, mergeColumns } from '#contract/column.ts'
import { DEFAULT_COLUMN_ORDER, type ReportColumnField } from '#contract/report-columns.ts'
import { useUser } from '#src/api/users.ts'
import {
  columnTitle,
  DEFAULT_LAYOUT,
  foundColumns,
  isSameLayout,
  shownCount,
  withMoved,
  withPinned,
  withShown,
} from '#src/features/columns/column-draft.ts'
import { ColumnList } from '#src/features/columns/column-list.tsx'
import { saveColumns } from '#src/features/columns/save-columns.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { SettingsSection } from './settings-section.tsx'
import { useUnsaved } from './unsaved-changes.tsx'

const ALL = DEFAULT_COLUMN_ORDER.length

/** The columns of the report, as its own dialog shows them; nothing is stored before Save. */
export function ColumnsTab() {
  const { customize_report_table: settings } = useUser()
  const stored = mergeColumns(settings)
  const [draft, setDraft] = useState<ColumnLayout>()
  const [sought, setSought] = useState('')
  const [said, setSaid] = useState('')
  const reasonId = useId()
  const layout = draft ?? stored
  const isChanged = draft !== undefined && !isSameLayout(draft, stored)
  const isRefused = shownCount(layout) === 0
  useUnsaved(isChanged)

  const sayPlace = (field: ReportColumnField, at: number) =>
    setSaid(`ย้าย ${columnTitle(field)} ไปลำดับ ${at + 1} จาก ${ALL}`)
  const save = () => {
    setDraft(undefined)
    setSaid('บันทึกคอลัมน์แล้ว')
    void saveColumns(layout)
  }
  return (
    <SettingsSection
      title="คอลัมน์ในตาราง"
      description={`แสดง ${shownCount(layout)} จาก ${ALL} คอลัมน์ คอลัมน์ที่ปักหมุดอยู่ซ้ายสุดและไม่เลื่อนตาม`}
      flush
    >
      <div className="border-b border-line px-4 py-3">
        <TextField
          label="ค้นคอลัมน์"
          hideLabel
          icon={Search}
          type="search"
          placeholder="ค้นคอลัมน์"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          className="sm:max-w-sm"
        />
        <ShowAll layout={layout} sought={sought} onDraft={setDraft} />
      </div>
      <ColumnList
        draft={layout}
        sought={sought}
        onShow={(field, shown) => setDraft(withShown(layout, [field], shown))}
        onPin={(field, pinned) => setDraft(withPinned(layout, field, pinned))}
        onMove={(field, to) => {
          setDraft(withMoved(layout, field, to))
          sayPlace(field, to)
        }}
        onDrag={(field, to) => setDraft((now) => withMoved(now ?? stored, field, to))}
        onDrop={sayPlace}
      />
      <div className="sticky bottom-0 flex flex-wrap items-center gap-2 rounded-b-card border-t border-line bg-surface px-4 py-3">
        <Button
          look="quiet"
          icon={RotateCcw}
          className="mr-auto"
          onClick={() => {
            setDraft(DEFAULT_LAYOUT)
            setSaid('คืนค่าเริ่มต้นแล้ว แสดงทุกคอลัมน์ กดบันทึกเพื่อใช้')
          }}
        >
          คืนค่าเริ่มต้น
        </Button>
        {isChanged && <Button onClick={() => setDraft(undefined)}>ยกเลิก</Button>}
        <Button
          look="primary"
          disabled={!isChanged || isRefused}
          aria-describedby={isRefused ? reasonId : undefined}
          onClick={save}
        >
          บันทึก
        </Button>
        {isRefused && (
          <p id={reasonId} role="alert" className="w-full text-right text-sm text-urgent">
            เลือกอย่างน้อย 1 คอลัมน์ จึงจะบันทึกได้
          </p>
        )}
      </div>
      <VisuallyHidden live>{said}</VisuallyHidden>
    </SettingsSection>
  )
}

type ShowAllProps = { layout: ColumnLayout; sought: string; onDraft: (draft: ColumnLayout) => void }

function ShowAll({ layout, sought, onDraft }: ShowAllProps) {
  const found = foundColumns(layout, sought)
  const shown = found.filter((field) => !layout.hidden.has(field)).length
  const isAll = shown > 0 && shown === found.length
  return (
    <Checkbox
      checked={isAll}
      indeterminate={shown > 0 && !isAll}
      disabled={found.length === 0}
      onChange={() => onDraft(withShown(layout, found, !isAll))}
      className="mt-2"
    >
      {sought.trim() === '' ? 'ทุกคอลัมน์' : 'ทุกคอลัมน์ที่ค้นพบ'}
    </Checkbox>
  )
}
