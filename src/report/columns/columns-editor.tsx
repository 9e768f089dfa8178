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
import { type ReactNode, useId, useState } from 'react'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import { getPresetColumnLayout, REPORT_COLUMN_PRESETS } from '#contract/catalogue/column-presets.ts'
import { DEFAULT_REPORT_COLUMN_ORDER, type ReportColumnField } from '#contract/catalogue/report-columns.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TogglePill } from '#src/ui/toggle-pill.tsx'
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

type ColumnListProps = {
  draft: ColumnLayout
  query: string
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
const staysInList: Modifier = ({ transform }) => ({ ...transform, x: 0 })

/** Columns in their order, which buttons and dragging with mouse or touch change (WCAG 2.5.7). */
function ColumnList({ draft, query, onMove, ...changes }: ColumnListProps) {
  const [isDragging, setDragging] = useState(false)
  const sensors = useSensors(useSensor(MouseSensor), useSensor(TouchSensor))
  // Esc ends the drag, and would otherwise also close the surrounding dialog, which listens on the window.
  useDocumentEvent('keydown', (event) => {
    if (isDragging && event.key === 'Escape') event.stopPropagation()
  })
  const matches = findMatchingReportColumns(draft, query)
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
            // In a filtered list the drop position would be ambiguous.
            <ColumnRow
              key={field}
              field={field}
              draft={draft}
              isFixed={query.trim() !== ''}
              onMove={onMove}
              {...changes}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

type ColumnRowProps = Omit<ColumnListProps, 'query'> & { field: ReportColumnField; isFixed: boolean }

function ColumnRow({ field, draft, isFixed, onShow, onPin, onMove }: ColumnRowProps) {
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id: field, disabled: isFixed })
  const title = getReportColumnTitle(field)
  const isPinned = draft.pinned.has(field)
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
      <MoveButtons
        title={title}
        at={draft.order.indexOf(field)}
        last={draft.order.length - 1}
        onMove={(to) => onMove(field, to)}
      />
    </li>
  )
}

type MoveButtonsProps = { title: string; at: number; last: number; onMove: (to: number) => void }

/** Buttons that move a column. At either end of the list the button remains focusable but does nothing. */
function MoveButtons({ title, at, last, onMove }: MoveButtonsProps) {
  const buttons = [
    { icon: ChevronUp, label: `ย้าย ${title} ขึ้น`, to: at - 1 },
    { icon: ChevronDown, label: `ย้าย ${title} ลง`, to: at + 1 },
  ]
  return buttons.map(({ icon, label, to }) => {
    const isOver = to < 0 || to > last
    return (
      <IconButton
        key={label}
        icon={icon}
        size="sm"
        label={label}
        aria-disabled={isOver || undefined}
        className={isOver ? 'opacity-40' : ''}
        onClick={({ currentTarget }) => {
          if (isOver) return
          onMove(to)
          requestAnimationFrame(() => currentTarget.scrollIntoView?.({ block: 'nearest' }))
        }}
      />
    )
  })
}

const COLUMN_COUNT = DEFAULT_REPORT_COLUMN_ORDER.length

type ColumnsEditorProps = {
  draft: ColumnLayout
  onDraft: (change: (current: ColumnLayout) => ColumnLayout) => void
  onAnnounce: (text: string) => void
  trailing: ReactNode
}

export function ReportColumnsEditor({ draft, onDraft, onAnnounce, trailing }: ColumnsEditorProps) {
  const [query, setQuery] = useState('')
  return (
    <>
      <div className="sticky top-0 z-20 border-b border-line bg-surface px-4 pt-3 pb-2">
        <Presets draft={draft} onDraft={onDraft} onAnnounce={onAnnounce} />
        <TextField
          label="ค้นคอลัมน์"
          hideLabel
          icon={Search}
          type="search"
          placeholder="ค้นคอลัมน์"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <CheckAll draft={draft} query={query} onDraft={onDraft} trailing={trailing} />
      </div>
      <ColumnList
        draft={draft}
        query={query}
        onShow={(field, isVisible) => onDraft((current) => setReportColumnsVisible(current, [field], isVisible))}
        onPin={(field, pinned) => onDraft((current) => setReportColumnPinned(current, field, pinned))}
        onMove={(field, to) => {
          onDraft((current) => moveReportColumn(current, field, to))
          onAnnounce(`ย้าย ${getReportColumnTitle(field)} ไปลำดับ ${to + 1} จาก ${COLUMN_COUNT}`)
        }}
      />
    </>
  )
}

/** Preset layouts. A preset sets visibility and order but preserves widths and pins. */
function Presets({ draft, onDraft, onAnnounce }: Pick<ColumnsEditorProps, 'draft' | 'onDraft' | 'onAnnounce'>) {
  return (
    <fieldset className="mb-2 flex flex-wrap gap-1.5">
      <legend className="sr-only">ชุดคอลัมน์</legend>
      {REPORT_COLUMN_PRESETS.map(({ code, th, fields }) => {
        const withPreset = ({ widths, pinned }: ColumnLayout) => ({ ...getPresetColumnLayout(code), widths, pinned })
        const isOn = isSameReportColumnLayout(draft, withPreset(draft))
        return (
          <TogglePill
            key={code}
            isOn={isOn}
            onClick={() => {
              onDraft(withPreset)
              onAnnounce(`ชุด${th} ${fields.length} คอลัมน์ กดบันทึกเพื่อใช้`)
            }}
          >
            {th} <span className="text-ink-faint tabular-nums">{fields.length}</span>
          </TogglePill>
        )
      })}
    </fieldset>
  )
}

type CheckAllProps = Pick<ColumnsEditorProps, 'draft' | 'onDraft' | 'trailing'> & { query: string }

function CheckAll({ draft, query, onDraft, trailing }: CheckAllProps) {
  const matches = findMatchingReportColumns(draft, query)
  const visibleCount = matches.filter((field) => !draft.hidden.has(field)).length
  const isAll = visibleCount > 0 && visibleCount === matches.length
  return (
    <Checkbox
      checked={isAll}
      indeterminate={visibleCount > 0 && !isAll}
      disabled={matches.length === 0}
      onChange={() => onDraft((current) => setReportColumnsVisible(current, matches, !isAll))}
      className="mt-2"
      trailing={trailing}
    >
      {query.trim() === '' ? 'ทุกคอลัมน์' : 'ทุกคอลัมน์ที่ค้นพบ'}
    </Checkbox>
  )
}

type ColumnsButtonsProps = Pick<ColumnsEditorProps, 'draft' | 'onDraft' | 'onAnnounce'> & {
  onCancel: () => void
  onSave: () => void
}

/** Buttons of the column editor. Saving with no column checked is refused with the reason (specification section 4). */
export function ReportColumnsEditorActions({ draft, onDraft, onAnnounce, onCancel, onSave }: ColumnsButtonsProps) {
  const reasonId = useId()
  const isRefused = countVisibleReportColumns(draft) === 0
  return (
    <>
      <Button
        variant="quiet"
        icon={RotateCcw}
        className="mr-auto"
        onClick={() => {
          onDraft(() => DEFAULT_REPORT_COLUMN_LAYOUT)
          onAnnounce('คืนค่าเริ่มต้นแล้ว แสดงทุกคอลัมน์ของโครงการ กดบันทึกเพื่อใช้')
        }}
      >
        คืนค่าเริ่มต้น
      </Button>
      <Button onClick={onCancel}>ยกเลิก</Button>
      <Button
        variant="primary"
        disabled={isRefused}
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
