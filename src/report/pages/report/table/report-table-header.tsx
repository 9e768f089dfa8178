import { FlexRender, type HeaderGroup } from '@tanstack/react-table'
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { SortButton } from '#src/ui/data-table.tsx'
import {
  getPinnedCellClasses,
  getPinnedCellInsetStyle,
  getSelectionCellClasses,
  type RenderedColumns,
} from './column-layout.ts'
import { ColumnResizer } from './column-resizer.tsx'
import { getNextReportSorting, type ReportSorting, type reportTableFeatures } from './report-columns.tsx'

const CELL =
  'sticky top-0 border-b border-line bg-surface-muted px-2 py-1.5 touch:py-0 font-medium whitespace-nowrap text-ink-muted'

type HeaderRowProps = {
  group: HeaderGroup<typeof reportTableFeatures, ReportRow>
  renderedColumns: RenderedColumns
  /** Passed as a prop, because the headers remain identical when their widths change. */
  widths: Readonly<Record<string, number>>
  sorting: ReportSorting
  onSort: (sorting: ReportSorting) => void
  lead: ReactNode
  onCancelResize: () => void
  onResize: (field: ReportColumnField, width: number | undefined) => void
  onLeave: () => void
}

const LEAD_FIELD = 'lead'

/** Only one header is in the tab order, because 25 columns with a resize handle would take 50 Tab presses. */
export const ReportTableHeaderRow = memo(function ReportTableHeaderRow({
  group,
  renderedColumns,
  widths,
  sorting,
  onSort,
  lead,
  onCancelResize,
  onResize,
  onLeave,
}: HeaderRowProps) {
  const [order] = sorting
  const [at, setAt] = useState<string>(LEAD_FIELD)
  const stop = renderedColumns.fields.some((field) => field === at) ? at : LEAD_FIELD
  return (
    <tr
      aria-rowindex={1}
      className="group/head"
      onFocus={({ target }) => setAt(target.closest<HTMLElement>(HEAD_SELECTOR)?.dataset.field ?? LEAD_FIELD)}
      onKeyDown={(event) => moveFocus(event, onLeave)}
    >
      {/* Not one of the report's 25 columns; its controls have their own labels. */}
      <td
        aria-colindex={1}
        data-field={LEAD_FIELD}
        style={{ zIndex: 80 }}
        className={classNames(CELL, 'px-1! touch:py-0!', getSelectionCellClasses(renderedColumns))}
      >
        {lead}
      </td>
      {group.headers.map((header) => {
        const { column } = header
        const field = column.id as ReportColumnField
        const { firstOrder, title = field, alignEnd } = column.columnDef.meta ?? {}
        const sorted = order?.id !== field ? 'none' : order.desc ? 'descending' : 'ascending'
        const pinned = getPinnedCellClasses(renderedColumns, field)
        const tabIndex = field === stop ? 0 : -1
        return (
          <th
            key={header.id}
            scope="col"
            data-field={field}
            // Set explicitly, because the resize handle's name would otherwise become part of every cell's header.
            aria-label={title}
            title={title}
            tabIndex={firstOrder ? undefined : tabIndex}
            aria-colindex={renderedColumns.ariaIndexOf(field)}
            aria-sort={sorted === 'none' ? undefined : sorted}
            // Half of the resize handle overlaps the next header and must receive the pointer there.
            style={{
              ...getPinnedCellInsetStyle(renderedColumns, field),
              zIndex: (pinned ? 78 : 48) - renderedColumns.fields.indexOf(field),
            }}
            className={classNames(
              CELL,
              // The last resize handle must not widen the table.
              '-outline-offset-2 last:[&_[role=separator]]:end-0',
              alignEnd ? 'text-right' : 'text-left',
              pinned,
            )}
          >
            {firstOrder ? (
              <SortButton
                // The name starts with the visible text, for speech control, and adds the full title for screen readers.
                aria-label={column.columnDef.header === title ? title : `${String(column.columnDef.header)} (${title})`}
                tabIndex={tabIndex}
                order={sorted}
                onSort={() => onSort(getNextReportSorting(sorting, field, firstOrder))}
                className={sorted === 'none' ? undefined : 'font-semibold text-accent-ink [&>svg]:text-accent-ink'}
              >
                <span className="truncate">
                  <FlexRender header={header} />
                </span>
              </SortButton>
            ) : (
              <span className="block truncate">
                <FlexRender header={header} />
              </span>
            )}
            <ColumnResizer
              title={title}
              width={widths[field] ?? 0}
              isTabStop={field === stop}
              onTry={(newWidth) =>
                newWidth === undefined
                  ? onCancelResize()
                  : column.table.setColumnSizing((current) => ({ ...current, [field]: newWidth }))
              }
              onResize={(newWidth) => onResize(field, newWidth)}
            />
          </th>
        )
      })}
    </tr>
  )
})

const HEAD_SELECTOR = '[data-field]'
const MAIN_CONTROL_SELECTOR = 'input, button'

function moveFocus(event: KeyboardEvent<HTMLTableRowElement>, focusRows: () => void) {
  const head = (event.target as HTMLElement).closest<HTMLTableCellElement>(HEAD_SELECTOR)
  if (!head || event.ctrlKey || event.metaKey || event.altKey) return
  const heads = [...event.currentTarget.cells]
  const at = heads.indexOf(head)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: heads.length - 1 }[event.key]
  if (to === undefined && event.key !== 'ArrowDown') return
  event.preventDefault()
  if (to === undefined) focusRows()
  else {
    const nextHead = heads[to]
    ;(nextHead?.querySelector<HTMLElement>(MAIN_CONTROL_SELECTOR) ?? nextHead)?.focus()
  }
}
