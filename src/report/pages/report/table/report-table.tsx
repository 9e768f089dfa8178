import type { Row, RowSelectionState } from '@tanstack/react-table'
import { Fragment, type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { mergeColumnSettings } from '#contract/catalogue/column.ts'
import { findReportColumn } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDER_LABEL, FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { type DisplayDensity, useDisplayDensity } from '#src/lib/density.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { saveReportColumnWidth } from '#src/report/columns/save-columns.ts'
import { getDefaultReportOrderLabel } from '#src/report/pages/report/filter/report-sort-select.tsx'
import type { ReportInteractionState } from '#src/report/pages/report/keyboard/use-report-interaction-state.ts'
import type { ReportResult } from '#src/report/pages/report/use-report-result.ts'
import { useProjectRowDisplayData, useStarredIds } from '#src/report/project-row/project-row-display-data.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { findStretchedColumnField, getRenderedColumnSizes, type RenderedColumns } from './column-layout.ts'
import {
  formatReportOrdering,
  parseReportSorting,
  reportTableColumns,
  type reportTableFeatures,
} from './report-columns.tsx'
import { ReportTableHeaderRow } from './report-table-header.tsx'
import { ReportTableRow, SELECTION_CHECKBOX_CLASSES } from './report-table-row.tsx'
import { useReportTable } from './use-report-table.ts'
import { findRow, useRowCursor } from './use-row-cursor.ts'
import { useVirtualRows } from './use-virtual-rows.ts'

/** Estimated row height, px: two lines of the name (one if compact) and the number. */
const ROW_ESTIMATE = { comfortable: 74, compact: 46 } as const

/** Delay the fade, because a short one that is reverted repaints the whole table for ten frames. */
const BUSY_CLASSES = 'opacity-50 delay-200'

type ReportTableProps = {
  result: ReportResult
  rows: readonly ReportRow[]
  tools: ReportInteractionState
  search: ReportSearch
  change: ChangeReportSearchFn
}

export function ReportTable({ result, rows, tools, search, change }: ReportTableProps) {
  const page = result.page!
  const { selection, current } = tools
  const layout = mergeColumnSettings(useUser().customize_report_table)
  const density = useDisplayDensity()
  const region = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  // Peek, queue and saved filter do not affect the rows, so a change of these must not scroll the table to the top.
  const { peek: _peek, queue: _queue, saved: _saved, ...rowsSearch } = search
  const resultKey = result.isOld ? '' : JSON.stringify(formatReportSearch(rowsSearch))
  const sorting = parseReportSorting(search.ordering)
  const sortedBy = sorting[0] && findReportColumn(sorting[0].id)?.title
  const order = search.ordering === FIT_ORDERING ? FIT_ORDER_LABEL : (sortedBy ?? getDefaultReportOrderLabel(search))

  const { table, renderedColumns, lead, columnSizing, cancelResize, resize } = useReportTable(
    { rows, layout, selection, onResize: (field, width) => saveReportColumnWidth(layout, field, width) },
    region,
  )
  const { startOffsets, stuckWidth, totalWidth, widths } = getRenderedColumnSizes(table, renderedColumns, lead)
  const stretched = findStretchedColumnField(renderedColumns, columnSizing)
  const { rowsById, rows: tableRows } = table.getRowModel()
  const isAllSelected = table.getIsAllPageRowsSelected()
  const cursor = useRowCursor({ body, rows, current, onCurrentChange: tools.setCurrent, resultKey })
  const { stop, focusRow } = cursor
  useImperativeHandle(tools.table, () => ({
    focusRow,
    getRow: (id) =>
      findRow(
        body.current,
        rows.findIndex((row) => row.project_id === id),
      ),
    selectRow: (id, checked) => rowsById[id]?.getToggleSelectedHandler()({ target: { checked } }),
  }))

  const { scrolled, hasMore, top } = useScrolled(region)
  useEffect(() => {
    if (resultKey && region.current && top.current !== 0) region.current.scrollTop = 0
  }, [resultKey, top])
  const focusRows = () => findRow(body.current, stop)?.focus()

  return (
    <div className="relative h-full">
      <section
        ref={region}
        tabIndex={0}
        aria-label="ตารางโครงการ เลื่อนได้"
        data-scroll-restoration-id="report"
        aria-busy={result.isOld}
        data-scrolled={scrolled || undefined}
        data-compact={density === 'compact' || undefined}
        className="group/region relative isolate h-full overflow-auto scroll-pt-[37px] rounded-card border border-line bg-surface outline-offset-0 focus-visible:-outline-offset-2 data-compact:[&_.line-clamp-2:not(:focus-visible)]:line-clamp-1"
        // Focused elements must not be scrolled under the pinned columns.
        style={{ scrollPaddingInlineStart: stuckWidth }}
        onFocus={cursor.onFocus}
        onBlur={cursor.onBlur}
        onKeyDown={cursor.onKeyDown}
      >
        <table
          aria-rowcount={page.total_project + 1}
          aria-colcount={reportTableColumns.length + 1}
          // The line height is an integer, because with fractional pixels the lines under pinned cells flicker.
          className="w-full table-fixed border-separate border-spacing-0 text-table leading-[21px] [&_.text-xs]:leading-5"
          style={{ minWidth: totalWidth, ...startOffsets }}
        >
          <caption className="sr-only">
            {`พบ ${formatCount(page.total_project)} โครงการ หน้า ${page.page} เรียงตาม${order}`}
          </caption>
          <colgroup>
            <col style={{ width: lead }} />
            {renderedColumns.fields.map((field) => (
              <col key={field} style={field === stretched ? undefined : { width: widths[field] }} />
            ))}
          </colgroup>
          <thead>
            {table.getHeaderGroups().map((group) => (
              <ReportTableHeaderRow
                key={group.id}
                group={group}
                renderedColumns={renderedColumns}
                widths={widths}
                sorting={sorting}
                onSort={(newSorting) => change({ ordering: formatReportOrdering(newSorting) })}
                lead={
                  <Checkbox
                    checked={isAllSelected}
                    indeterminate={!isAllSelected && table.getIsSomePageRowsSelected()}
                    onChange={() => table.toggleAllPageRowsSelected(!isAllSelected)}
                    ariaLabel="เลือกทุกโครงการในหน้านี้"
                    className={SELECTION_CHECKBOX_CLASSES}
                  />
                }
                onCancelResize={cancelResize}
                onResize={resize}
                onLeave={focusRows}
              />
            ))}
          </thead>
          <ReportTableBody
            ref={body}
            region={region}
            rows={tableRows}
            offset={(page.page - 1) * page.page_size}
            density={density}
            renderedColumns={renderedColumns}
            rowSelection={selection.rowSelection}
            stop={stop}
            current={current}
            isBusy={result.isOld}
          />
        </table>
      </section>
      {hasMore && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-y-px right-px w-10 rounded-r-card bg-linear-to-r from-transparent to-surface"
        />
      )}
    </div>
  )
}

type ReportTableBodyProps = {
  ref: Ref<HTMLTableSectionElement>
  region: RefObject<HTMLElement | null>
  rows: readonly Row<typeof reportTableFeatures, ReportRow>[]
  offset: number
  density: DisplayDensity
  renderedColumns: RenderedColumns
  rowSelection: RowSelectionState
  stop: number
  current: string | undefined
  isBusy: boolean
}

/** A separate component, because every scroll re-renders it. */
function ReportTableBody({
  ref,
  region,
  rows,
  offset,
  density,
  renderedColumns,
  rowSelection,
  stop,
  current,
  isBusy,
}: ReportTableBodyProps) {
  const ids = rows.map(({ id }) => id)
  const { virtualItems, totalHeight, measureElement } = useVirtualRows({
    region,
    ids,
    stop,
    estimate: ROW_ESTIMATE[density],
  })
  const { today } = useProjectRowDisplayData()
  const stars = useStarredIds()
  return (
    <tbody ref={ref} className={classNames('transition-opacity', isBusy && BUSY_CLASSES)}>
      {virtualItems.map(({ index, start }, at) => {
        const row = rows[index]
        if (!row) return null
        return (
          <Fragment key={row.id}>
            <Gap height={start - (virtualItems[at - 1]?.end ?? 0)} />
            <ReportTableRow
              row={row}
              cells={row.getVisibleCells()}
              index={row.index}
              rowIndex={offset + row.index + 2}
              renderedColumns={renderedColumns}
              today={today}
              isStarred={stars.has(row.id)}
              isSelected={rowSelection[row.id] === true}
              isCurrent={row.id === current}
              isTabStop={row.index === stop}
              measure={measureElement}
            />
          </Fragment>
        )
      })}
      <Gap height={totalHeight - (virtualItems.at(-1)?.end ?? 0)} />
    </tbody>
  )
}

function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden style={{ height }}>
      <td className="p-0" />
    </tr>
  )
}

/**
 * Tracks whether columns are under the pinned ones (which then need an edge), whether more follow, and the scroll
 * offset, px. Reading these from the region would force a layout of the whole table, which takes a third of the time
 * until new rows are visible.
 */
function useScrolled(region: RefObject<HTMLElement | null>) {
  const [scrolled, setScrolled] = useState(false)
  const [hasMore, setMore] = useState(false)
  const top = useRef(0)
  useEffect(() => {
    const element = region.current
    if (!element) return
    const update = () => {
      const { scrollLeft, scrollTop, scrollWidth, clientWidth } = element
      top.current = scrollTop
      setScrolled(scrollLeft > 0)
      setMore(scrollLeft + clientWidth < scrollWidth - 1)
    }
    element.addEventListener('scroll', update, { passive: true })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    return () => {
      element.removeEventListener('scroll', update)
      observer.disconnect()
    }
  }, [region])
  return { scrolled, hasMore, top }
}
