import { FlexRender, type Row } from '@tanstack/react-table'
import { memo } from 'react'
import type { ReportRow } from '#contract/report.ts'
import type { ReportColumnField } from '#contract/report-columns.ts'
import { useRowMarks } from '#src/features/project-row/row-marks.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { DrawnColumns } from './column-layout.ts'
import { pinnedClasses, pinnedStart } from './pinned-cell.ts'
import type { features } from './report-columns.tsx'

type TableRowProps = {
  row: Row<typeof features, ReportRow>
  /** Place among the rows of this page, for the virtualiser. */
  index: number
  /** Place in the whole result, header included. */
  rowIndex: number
  /** Another object when columns are shown, hidden or moved: the row itself stays the same object then. */
  drawn: DrawnColumns
  measure: (element: HTMLTableRowElement | null) => void
}

/** One project. Redrawn only when its data or the columns change: scrolling asks for the whole table again and again. */
export const TableRow = memo(function TableRow({ row, index, rowIndex, drawn, measure }: TableRowProps) {
  const { today } = useRowMarks()
  const { submission_end_date: lastDay, status, winner_name: winner } = row.original
  // Too late to bid and no result yet: kept, but out of the way (what is decided stays readable for its price).
  const isPast = lastDay !== null && lastDay < today && status === 'in_progress' && winner === null
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={rowIndex}
      className={classNames('group/row', isPast && 'text-ink-muted')}
    >
      {row.getVisibleCells().map((cell) => {
        const { column } = cell
        const Element = column.id === 'name' ? 'th' : 'td'
        return (
          <Element
            key={cell.id}
            scope={column.id === 'name' ? 'row' : undefined}
            aria-colindex={drawn.placeOf(column.id as ReportColumnField)}
            style={pinnedStart(drawn, column.id)}
            className={classNames(
              'overflow-hidden border-b border-line bg-surface px-3 py-2.5 align-top font-normal group-hover/row:bg-accent-soft',
              column.columnDef.meta?.alignEnd ? 'text-right tabular-nums' : 'text-left',
              pinnedClasses(drawn, column.id, 'z-10'),
            )}
          >
            <FlexRender cell={cell} />
          </Element>
        )
      })}
    </tr>
  )
})
