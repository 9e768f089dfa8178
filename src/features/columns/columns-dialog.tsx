import { RotateCcw, Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { ColumnLayout } from '#contract/column.ts'
import { DEFAULT_COLUMN_ORDER, type ReportColumnField } from '#contract/report-columns.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { Modal } from '#src/ui/modal.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import {
  columnTitle,
  DEFAULT_LAYOUT,
  foundColumns,
  isSameLayout,
  shownCount,
  withMoved,
  withPinned,
  withShown,
} from './column-draft.ts'
import { ColumnList } from './column-list.tsx'
import { saveColumns } from './save-columns.ts'

const ALL = DEFAULT_COLUMN_ORDER.length

type ColumnsDialogProps = { open: boolean; layout: ColumnLayout; onClose: () => void }

/** Which columns the report shows, in which order, and which stay in sight. Nothing is stored before Save. */
export function ColumnsDialog({ open, layout, onClose }: ColumnsDialogProps) {
  const [draft, setDraft] = useState(layout)
  // Another tab may store columns meanwhile; what was changed here is measured against where it began.
  const [stored] = useState(layout)
  const [sought, setSought] = useState('')
  const [said, setSaid] = useState('')
  const [isAsking, setAsking] = useState(false)
  const reasonId = useId()

  const isChanged = !isSameLayout(draft, stored)
  const isRefused = shownCount(draft) === 0
  const close = () => (isChanged ? setAsking(true) : onClose())
  const save = () => {
    if (isChanged) void saveColumns(draft)
    onClose()
  }
  const sayPlace = (field: ReportColumnField, at: number) =>
    setSaid(`ย้าย ${columnTitle(field)} ไปลำดับ ${at + 1} จาก ${ALL}`)
  const move = (field: ReportColumnField, to: number) => {
    setDraft(withMoved(draft, field, to))
    sayPlace(field, to)
  }

  return (
    <Modal
      open={open}
      onClose={close}
      title="คอลัมน์ในตาราง"
      className="sm:h-[min(760px,calc(100dvh-32px))]"
      footer={
        isAsking ? (
          <AskToDiscard onDiscard={onClose} onStay={() => setAsking(false)} />
        ) : (
          <>
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
            <Button onClick={close}>ยกเลิก</Button>
            <Button
              look="primary"
              disabled={isRefused}
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
          </>
        )
      }
    >
      <div className="sticky top-0 z-20 border-b border-line bg-surface px-4 pt-3 pb-2">
        <TextField
          label="ค้นคอลัมน์"
          hideLabel
          icon={Search}
          type="search"
          placeholder="ค้นคอลัมน์"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <CheckAll
          draft={draft}
          found={foundColumns(draft, sought)}
          isSearch={sought.trim() !== ''}
          onDraft={setDraft}
        />
      </div>
      <ColumnList
        draft={draft}
        sought={sought}
        onShow={(field, shown) => setDraft(withShown(draft, [field], shown))}
        onPin={(field, pinned) => setDraft(withPinned(draft, field, pinned))}
        onMove={move}
        onDrag={(field, to) => setDraft((now) => withMoved(now, field, to))}
        onDrop={sayPlace}
      />
      <p className="px-4 pt-1 pb-3 text-xs text-ink-faint">คอลัมน์ที่ปักหมุดอยู่ซ้ายสุดและไม่เลื่อนตาม</p>
      <VisuallyHidden live>{said}</VisuallyHidden>
    </Modal>
  )
}

type CheckAllProps = {
  draft: ColumnLayout
  found: readonly ReportColumnField[]
  isSearch: boolean
  onDraft: (draft: ColumnLayout) => void
}

function CheckAll({ draft, found, isSearch, onDraft }: CheckAllProps) {
  const shown = found.filter((field) => !draft.hidden.has(field)).length
  const isAll = shown > 0 && shown === found.length
  const { size: hidden } = draft.hidden
  return (
    <Checkbox
      checked={isAll}
      indeterminate={shown > 0 && !isAll}
      disabled={found.length === 0}
      onChange={() => onDraft(withShown(draft, found, !isAll))}
      className="mt-2"
      trailing={hidden === 0 ? `แสดงทั้ง ${ALL}` : `ซ่อนอยู่ ${hidden}`}
    >
      {isSearch ? 'ทุกคอลัมน์ที่ค้นพบ' : 'ทุกคอลัมน์'}
    </Checkbox>
  )
}

/** In the place of the buttons: a second dialog over the first would hide what it asks about. */
function AskToDiscard({ onDiscard, onStay }: { onDiscard: () => void; onStay: () => void }) {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <>
      <p role="alert" className="mr-auto self-center font-medium">
        ยังไม่ได้บันทึกที่แก้ไว้
      </p>
      <Button look="quiet" className="text-urgent" onClick={onDiscard}>
        ทิ้งที่แก้
      </Button>
      <Button ref={stay} onClick={onStay}>
        แก้ต่อ
      </Button>
    </>
  )
}
