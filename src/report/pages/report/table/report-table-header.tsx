import { FlexRender, type Header, type HeaderGroup } from '@tanstack/react-table'
import { type KeyboardEvent, memo, type ReactNode, useState } from 'react'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { SortButton } from '#src/ui/data-table.tsx'
import type { RenderedColumns } from './column-layout.ts'
import { getPinnedCellClasses, getPinnedCellInsetStyle, getSelectionCellClasses } from './column-layout.ts'
import { ColumnResizer } from './column-resizer.tsx'
import { getNextReportSorting, type ReportSorting, type reportTableFeatures } from './report-columns.tsx'

type ReportHeader = Header<typeof reportTableFeatures, ReportRow>

const CELL =
  'sticky top-0 border-b border-line bg-surface-muted px-2 py-1.5 touch:py-0 font-medium whitespace-nowrap text-ink-muted'

type ResizeColumn = (field: ReportColumnField, width: number | undefined) => void
type HeaderRowProps = {
  group: HeaderGroup<typeof reportTableFeatures, ReportRow>
  renderedColumns: RenderedColumns
  /** Passed as a prop, because the headers remain identical when their widths change. */
  widths: Readonly<Record<string, number>>
  sorting: ReportSorting
  onSort: (sorting: ReportSorting) => void
  lead: ReactNode
  onCancelResize: () => void
  onResize: ResizeColumn
  onLeave: () => void
}

const LEAD_FIELD = 'lead'

/**
 * Header row. Only one header is in the tab order and arrows move between headers, because 25 columns with a resize
 * handle each would take 50 Tab presses before the first row.
 */
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
      {group.headers.map((header) => (
        <HeaderCell
          key={header.id}
          header={header}
          renderedColumns={renderedColumns}
          width={widths[header.id] ?? 0}
          isTabStop={header.id === stop}
          sorting={sorting}
          onSort={onSort}
          onCancelResize={onCancelResize}
          onResize={onResize}
        />
      ))}
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

type HeaderCellProps = Pick<
  HeaderRowProps,
  'renderedColumns' | 'sorting' | 'onSort' | 'onCancelResize' | 'onResize'
> & {
  header: ReportHeader
  width: number
  isTabStop: boolean
}

function HeaderCell({
  header,
  width,
  renderedColumns,
  isTabStop,
  sorting,
  onSort,
  onCancelResize,
  onResize,
}: HeaderCellProps) {
  const { column } = header
  const field = column.id as ReportColumnField
  const firstOrder = column.columnDef.meta?.firstOrder
  const [order] = sorting
  const sorted = order?.id !== field ? 'none' : order.desc ? 'descending' : 'ascending'
  const pinned = getPinnedCellClasses(renderedColumns, field)
  const tabIndex = isTabStop ? 0 : -1
  const title = column.columnDef.meta?.title ?? field
  const visibleTitle = column.columnDef.header
  return (
    <th
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
        column.columnDef.meta?.alignEnd ? 'text-right' : 'text-left',
        pinned,
      )}
    >
      {firstOrder ? (
        <SortButton
          // The name starts with the visible text, for speech control, and adds the full title for screen readers.
          aria-label={visibleTitle === title ? title : `${String(visibleTitle)} (${title})`}
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
        width={width}
        isTabStop={isTabStop}
        onTry={(newWidth) =>
          newWidth === undefined
            ? onCancelResize()
            : column.table.setColumnSizing((current) => ({ ...current, [field]: newWidth }))
        }
        onResize={(newWidth) => onResize(field, newWidth)}
      />
    </th>
  )
}
