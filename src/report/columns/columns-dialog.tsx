import {
  closestCenter,
  DndContext,
  type Modifier,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { ChevronDown, ChevronUp, GripVertical, Pin, RotateCcw, Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import { getPresetColumnLayout, REPORT_COLUMN_PRESETS } from '#contract/catalogue/column-presets.ts'
import { DEFAULT_REPORT_COLUMN_ORDER, type ReportColumnField } from '#contract/catalogue/report-columns.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { TogglePill } from '#src/ui/toggle-pill.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import {
  countVisibleReportColumns,
  DEFAULT_REPORT_COLUMN_LAYOUT,
  findMatchingReportColumns,
  getReportColumnTitle,
  isSameReportColumnLayout,
  moveReportColumn,
  setReportColumnPinned,
  setReportColumnsVisible,
} from './column-layout-edits.ts'
import { saveReportColumns } from './save-columns.ts'

const COLUMN_COUNT = DEFAULT_REPORT_COLUMN_ORDER.length

/** A preset sets visibility and order but preserves widths and pins. */
const withPreset = ({ widths, pinned }: ColumnLayout, code: (typeof REPORT_COLUMN_PRESETS)[number]['code']) => ({
  ...getPresetColumnLayout(code),
  widths,
  pinned,
})

export function ReportColumnsDialog({ layout, onClose }: { layout: ColumnLayout; onClose: () => void }) {
  const [draft, setDraft] = useState(layout)
  // Another tab may store columns meanwhile, so compare the draft with the layout from when the dialog opened.
  const [stored] = useState(layout)
  const [query, setQuery] = useState('')
  const [announcement, setAnnouncement] = useState('')
  const [isAsking, setAsking] = useState(false)
  const reasonId = useId()

  const isChanged = !isSameReportColumnLayout(draft, stored)
  const close = () => (isChanged ? setAsking(true) : onClose())
  const save = () => {
    if (isChanged) void saveReportColumns(draft)
    onClose()
  }
  const isRefused = countVisibleReportColumns(draft) === 0
  const matches = findMatchingReportColumns(draft, query)
  const visibleCount = matches.filter((field) => !draft.hidden.has(field)).length
  const isAll = visibleCount > 0 && visibleCount === matches.length
  return (
    <Modal
      open
      onClose={close}
      title="คอลัมน์ในตาราง"
      className="sm:h-[min(760px,calc(100dvh-32px))]"
      footer={
        isAsking ? (
          <>
            <p role="alert" className="mr-auto self-center font-medium">
              ยังไม่ได้บันทึกที่แก้ไว้
            </p>
            <Button variant="quiet" className="text-urgent" onClick={onClose}>
              ทิ้งที่แก้
            </Button>
            {/* With a key it mounts anew in place of the save button, so that it takes the focus. */}
            <Button key="stay" autoFocus onClick={() => setAsking(false)}>
              แก้ต่อ
            </Button>
          </>
        ) : (
          <>
            <Button
              variant="quiet"
              icon={RotateCcw}
              className="mr-auto"
              onClick={() => {
                setDraft(DEFAULT_REPORT_COLUMN_LAYOUT)
                setAnnouncement('คืนค่าเริ่มต้นแล้ว แสดงทุกคอลัมน์ของโครงการ กดบันทึกเพื่อใช้')
              }}
            >
              คืนค่าเริ่มต้น
            </Button>
            <Button onClick={close}>ยกเลิก</Button>
            {/* Saving with no column checked is refused with the reason (specification section 4). */}
            <Button
              variant="primary"
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
        <fieldset className="mb-2 flex flex-wrap gap-1.5">
          <legend className="sr-only">ชุดคอลัมน์</legend>
          {REPORT_COLUMN_PRESETS.map(({ code, th, fields }) => (
            <TogglePill
              key={code}
              isOn={isSameReportColumnLayout(draft, withPreset(draft, code))}
              onClick={() => {
                setDraft(withPreset(draft, code))
                setAnnouncement(`ชุด${th} ${fields.length} คอลัมน์ กดบันทึกเพื่อใช้`)
              }}
            >
              {th} <span className="text-ink-faint tabular-nums">{fields.length}</span>
            </TogglePill>
          ))}
        </fieldset>
        <TextField
          label="ค้นคอลัมน์"
          hideLabel
          icon={Search}
          type="search"
          placeholder="ค้นคอลัมน์"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Checkbox
          checked={isAll}
          indeterminate={visibleCount > 0 && !isAll}
          disabled={matches.length === 0}
          onChange={() => setDraft(setReportColumnsVisible(draft, matches, !isAll))}
          className="mt-2"
          trailing={draft.hidden.size === 0 ? `แสดงทั้ง ${COLUMN_COUNT}` : `ซ่อนอยู่ ${draft.hidden.size}`}
        >
          {query.trim() === '' ? 'ทุกคอลัมน์' : 'ทุกคอลัมน์ที่ค้นพบ'}
        </Checkbox>
      </div>
      <ColumnList
        draft={draft}
        matches={matches}
        // In a filtered list the drop position would be ambiguous.
        isFixed={query.trim() !== ''}
        onShow={(field, isVisible) => setDraft(setReportColumnsVisible(draft, [field], isVisible))}
        onPin={(field, pinned) => setDraft(setReportColumnPinned(draft, field, pinned))}
        onMove={(field, to) => {
          setDraft(moveReportColumn(draft, field, to))
          setAnnouncement(`ย้าย ${getReportColumnTitle(field)} ไปลำดับ ${to + 1} จาก ${COLUMN_COUNT}`)
        }}
      />
      <p className="px-4 pt-1 pb-3 text-xs text-ink-faint">คอลัมน์ที่ปักหมุดอยู่ซ้ายสุดและไม่เลื่อนตาม</p>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
    </Modal>
  )
}

type ColumnListProps = {
  draft: ColumnLayout
  matches: readonly ReportColumnField[]
  isFixed: boolean
  onShow: (field: ReportColumnField, isVisible: boolean) => void
  onPin: (field: ReportColumnField, pinned: boolean) => void
  onMove: (field: ReportColumnField, to: number) => void
}

/** The dialog announces a drop itself; the buttons of a row move it by keyboard. */
const SILENT = {
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
  screenReaderInstructions: { draggable: '' },
}
const MOVES = [
  { icon: ChevronUp, text: 'ขึ้น', by: -1 },
  { icon: ChevronDown, text: 'ลง', by: 1 },
]
const staysInList: Modifier = ({ transform }) => ({ ...transform, x: 0 })

/** Columns in their order, which buttons and dragging with mouse or touch change (WCAG 2.5.7). */
function ColumnList({ matches, ...changes }: ColumnListProps) {
  const { draft, onMove } = changes
  const [isDragging, setDragging] = useState(false)
  const sensors = useSensors(useSensor(MouseSensor), useSensor(TouchSensor))
  // Esc ends the drag, and would otherwise also close the surrounding dialog, which listens on the window.
  useDocumentEvent('keydown', (event) => {
    if (isDragging && event.key === 'Escape') event.stopPropagation()
  })
  if (matches.length === 0) return <p className="px-4 py-6 text-center text-ink-muted">ไม่มีคอลัมน์ชื่อนี้</p>
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[staysInList]}
      accessibility={SILENT}
      onDragStart={() => setDragging(true)}
      onDragCancel={() => setDragging(false)}
      onDragEnd={({ active, over }) => {
        setDragging(false)
        if (over && over.id !== active.id)
          onMove(active.id as ReportColumnField, draft.order.indexOf(over.id as ReportColumnField))
      }}
    >
      <SortableContext items={[...matches]} strategy={verticalListSortingStrategy}>
        <ul aria-label="คอลัมน์ตามลำดับ" className="py-1">
          {matches.map((field) => (
            <ColumnRow key={field} field={field} {...changes} />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

type ColumnRowProps = Omit<ColumnListProps, 'matches'> & { field: ReportColumnField }

function ColumnRow({ field, draft, isFixed, onShow, onPin, onMove }: ColumnRowProps) {
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id: field, disabled: isFixed })
  const title = getReportColumnTitle(field)
  const isPinned = draft.pinned.has(field)
  const at = draft.order.indexOf(field)
  return (
    <li
      ref={setNodeRef}
      style={transform ? { transform: `translateY(${transform.y}px)`, transition } : undefined}
      className={classNames(
        'flex items-center gap-1 px-2 touch:gap-0',
        isDragging ? 'relative z-10 bg-accent-soft shadow-float' : 'hover:bg-surface-muted',
      )}
    >
      <span
        aria-hidden
        {...listeners}
        className={classNames(
          'flex h-9 w-7 shrink-0 cursor-grab touch-none items-center justify-center text-ink-faint touch:size-11',
          isFixed && 'invisible',
          isDragging && 'cursor-grabbing text-accent-ink',
        )}
      >
        <GripVertical className="size-4" />
      </span>
      <Checkbox
        checked={!draft.hidden.has(field)}
        onChange={(isVisible) => onShow(field, isVisible)}
        className="min-w-0 flex-1 py-1.5 touch:py-0"
      >
        {title}
      </Checkbox>
      <IconButton
        icon={Pin}
        size="sm"
        label={isPinned ? `เลิกปักหมุด ${title}` : `ปักหมุด ${title}`}
        aria-pressed={isPinned}
        onClick={() => onPin(field, !isPinned)}
        iconClassName={isPinned ? 'fill-current text-accent-ink' : 'text-ink-faint'}
      />
      {MOVES.map(({ icon, text, by }) => {
        // At either end of the list the button remains focusable but does nothing.
        const isOver = draft.order[at + by] === undefined
        return (
          <IconButton
            key={text}
            icon={icon}
            size="sm"
            label={`ย้าย ${title} ${text}`}
            aria-disabled={isOver || undefined}
            className={isOver ? 'opacity-40' : ''}
            onClick={({ currentTarget }) => {
              if (isOver) return
              onMove(field, at + by)
              requestAnimationFrame(() => currentTarget.scrollIntoView?.({ block: 'nearest' }))
            }}
          />
        )
      })}
    </li>
  )
}
