import { type Cell, FlexRender, type Row } from '@tanstack/react-table'
import { memo, useRef } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import {
  getPinnedCellClasses,
  getPinnedCellInsetStyle,
  getSelectionCellClasses,
  type RenderedColumns,
} from './column-layout.ts'
import type { reportTableFeatures } from './report-columns.tsx'

type TableRowProps = {
  row: Row<typeof reportTableFeatures, ReportRow>
  /** Passed as a prop, because `row` remains identical when its columns change. */
  cells: readonly Cell<typeof reportTableFeatures, ReportRow, unknown>[]
  index: number
  /** Index in the whole result, header included. */
  rowIndex: number
  renderedColumns: RenderedColumns
  /** Passed as a prop, because reading the date from the shared row marks would re-render the row with every star. */
  today: string
  isStarred: boolean
  isSelected: boolean
  isCurrent: boolean
  isTabStop: boolean
  measure: (element: HTMLTableRowElement | null) => void
}

// Cells draw the focus ring, as pinned ones cover a row outline; forced colours draw no shadows, so use the outline.
const CELL =
  'border-b border-line bg-surface px-2 pt-1.5 pb-[5px] align-top group-data-compact/region:pt-0.5 group-data-compact/region:pb-[3px] group-hover/row:bg-accent-soft group-aria-selected/row:bg-accent-soft group-focus-visible/row:shadow-[inset_0_2px_var(--accent-ink),inset_0_-2px_var(--accent-ink)]'

export const SELECTION_CHECKBOX_CLASSES = 'w-fit min-w-6 justify-center touch:min-w-11'

/** Memoised, because scrolling re-renders the table constantly and a cursor move affects only two rows. */
export const ReportTableRow = memo(function ReportTableRow({
  row,
  cells,
  index,
  rowIndex,
  renderedColumns,
  today,
  isStarred,
  isSelected,
  isCurrent,
  isTabStop,
  measure,
}: TableRowProps) {
  const { name, submission_end_date: lastDay, status, winner_name: winner } = row.original
  const shift = useRef(false)
  const isPast = lastDay !== null && lastDay < today && status === 'in_progress' && winner === null
  return (
    <tr
      ref={measure}
      data-index={index}
      data-current={isCurrent || undefined}
      tabIndex={isTabStop ? 0 : -1}
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      className={classNames(
        'group/row -outline-offset-2 focus-visible:outline-transparent',
        isPast && 'text-ink-muted',
      )}
    >
      <td
        aria-colindex={1}
        // Prevent text selection on Shift-click.
        className={classNames(
          'px-1! group-data-current/row:shadow-[inset_3px_0_var(--accent-ink)] group-focus-visible/row:shadow-[inset_2px_0_var(--accent-ink),inset_0_2px_var(--accent-ink),inset_0_-2px_var(--accent-ink)]! select-none',
          CELL,
          getSelectionCellClasses(renderedColumns),
        )}
        onPointerDown={(event) => {
          shift.current = event.shiftKey
        }}
        onKeyDown={(event) => {
          shift.current = event.shiftKey
        }}
      >
        <span className="flex items-start touch:-my-2.5">
          <Checkbox
            checked={isSelected}
            onChange={(checked) => row.getToggleSelectedHandler()({ target: { checked }, shiftKey: shift.current })}
            ariaLabel={`เลือก ${name}`}
            className={SELECTION_CHECKBOX_CLASSES}
          />
          <StarButton projectId={row.id} name={name} isStarred={isStarred} className="-mt-[3px] touch:mt-0" />
        </span>
      </td>
      {cells.map((cell) => {
        const { column } = cell
        const Element = column.id === 'name' ? 'th' : 'td'
        return (
          <Element
            key={cell.id}
            scope={column.id === 'name' ? 'row' : undefined}
            aria-colindex={renderedColumns.ariaIndexOf(column.id)}
            style={getPinnedCellInsetStyle(renderedColumns, column.id)}
            className={classNames(
              'overflow-hidden font-normal',
              CELL,
              column.columnDef.meta?.alignEnd ? 'text-right tabular-nums' : 'text-left',
              getPinnedCellClasses(renderedColumns, column.id),
            )}
          >
            <FlexRender cell={cell} />
          </Element>
        )
      })}
    </tr>
  )
})
