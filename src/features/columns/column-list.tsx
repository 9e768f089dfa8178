import { ChevronDown, ChevronUp, GripVertical, Pin } from 'lucide-react'
import { useRef } from 'react'
import type { ColumnLayout } from '#contract/column.ts'
import type { ReportColumnField } from '#contract/report-columns.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { columnTitle, foundColumns } from './column-draft.ts'
import { useDragOrder } from './use-drag-order.ts'

type ColumnListProps = {
  draft: ColumnLayout
  /** Words that the title has to hold. */
  sought: string
  onShow: (field: ReportColumnField, shown: boolean) => void
  onPin: (field: ReportColumnField, pinned: boolean) => void
  /** By the buttons; places count from 0. */
  onMove: (field: ReportColumnField, to: number) => void
  /** While a column is dragged over another place, and where it was let go. */
  onDrag: (field: ReportColumnField, to: number) => void
  onDrop: (field: ReportColumnField, at: number) => void
}

/** The columns in their order: shown or not, pinned or not, moved by dragging or by buttons. */
export function ColumnList({ draft, sought, onShow, onPin, onMove, onDrag, onDrop }: ColumnListProps) {
  const list = useRef<HTMLUListElement>(null)
  const found = foundColumns(draft, sought)
  const { dragged, grip, listProps } = useDragOrder({ list, order: draft.order, onDrag, onDrop })
  if (found.length === 0) return <p className="px-4 py-6 text-center text-ink-muted">ไม่มีคอลัมน์ชื่อนี้</p>
  return (
    <ul ref={list} aria-label="คอลัมน์ตามลำดับ" className="py-1" {...listProps}>
      {found.map((field) => {
        const title = columnTitle(field)
        const at = draft.order.indexOf(field)
        const isPinned = draft.pinned.has(field)
        return (
          <li
            key={field}
            className={classNames(
              'flex items-center gap-1 px-2 touch:gap-0',
              dragged === field ? 'relative z-10 bg-accent-soft shadow-float' : 'hover:bg-surface-muted',
            )}
          >
            {/* With only some of them in sight, the place between two would not say where. */}
            <span
              aria-hidden
              onPointerDown={sought.trim() === '' ? (event) => grip(event, field) : undefined}
              className={classNames(
                'flex h-9 w-7 shrink-0 cursor-grab touch-none items-center justify-center text-ink-faint touch:size-11',
                sought.trim() !== '' && 'invisible',
                dragged === field && 'cursor-grabbing text-accent-ink',
              )}
            >
              <GripVertical className="size-4" />
            </span>
            <Checkbox
              checked={!draft.hidden.has(field)}
              onChange={(shown) => onShow(field, shown)}
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
            <MoveButtons title={title} at={at} last={draft.order.length - 1} onMove={(to) => onMove(field, to)} />
          </li>
        )
      })}
    </ul>
  )
}

type MoveButtonsProps = { title: string; at: number; last: number; onMove: (to: number) => void }

/** At an end the button stays where the focus is, and does nothing. */
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
