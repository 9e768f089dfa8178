import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  Fragment,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ColumnLayout } from '#contract/column.ts'
import type { ReportRow } from '#contract/report.ts'
import { REPORT_COLUMNS, type ReportColumnField } from '#contract/report-columns.ts'
import { useRowMarks } from '#src/features/project-row/row-marks.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { Density } from '#src/lib/density.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { drawnSizes, stretchedField } from './column-layout.ts'
import { SelectPage } from './lead-cell.tsx'
import { columns, features } from './report-columns.tsx'
import { HeaderRow } from './report-table-header.tsx'
import { TableRow } from './report-table-row.tsx'
import { useRowTabStops } from './row-tab-stops.ts'
import { useDrawnColumns } from './use-drawn-columns.ts'
import { useRowCursor } from './use-row-cursor.ts'

/** Height of a row before it is measured, with a name of the usual length (or its first line) and its number below, px. */
const ROW_ESTIMATE = { comfortable: 91, compact: 57 } as const
const OVERSCAN = 6

export type ReportTableHandle = {
  /** Moves the cursor to this project of the page and gives its row the focus, scrolled into sight. */
  readonly focusRow: (projectId: string) => void
}

type ReportTableProps = {
  rows: readonly ReportRow[]
  layout: ColumnLayout
  /** Width of the name column at least, unless the user has sized it; it takes what the others leave, px. */
  nameWidth: number
  density: Density
  sorting: SortingState
  onSortingChange: (sorting: SortingState) => void
  /** A column's new width, undefined for the default; settled once it is kept or refused. */
  onResize: (field: ReportColumnField, width: number | undefined) => Promise<unknown>
  /** Projects found and how many stand before this page, for `aria-rowcount` and `aria-rowindex`. */
  total: number
  offset: number
  /** Said by the caption: what is shown and in which order. */
  caption: string
  /** Old rows are shown while new ones are on their way. */
  busy: boolean
  /** Changes with the result: the table goes back to its top. */
  resultKey: string
  /** Ids of chosen projects, also of other pages. */
  selected: ReadonlySet<string>
  /** One row, or with `range` (Shift) all from the one chosen last to this one. */
  onSelect: (row: ReportRow, selected: boolean, range: boolean) => void
  onSelectPage: (rows: readonly ReportRow[], selected: boolean) => void
  /** Project under the cursor. */
  current: string | undefined
  onCurrentChange: (projectId: string) => void
  handle?: Ref<ReportTableHandle> | undefined
}

/** The report as a table: sticky header, first columns pinned, rows drawn as they come into sight. */
export function ReportTable(props: ReportTableProps) {
  const { rows, density, sorting, onSortingChange, resultKey, selected, current, handle } = props
  const region = useRef<HTMLElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const select = useCallback<ReportTableProps['onSelect']>((...args) => latest.current.onSelect(...args), [])
  const selectPage = useCallback<ReportTableProps['onSelectPage']>(
    (...args) => latest.current.onSelectPage(...args),
    [],
  )

  const isPrinting = useMediaQuery('print')
  const { drawn, sizes, tryWidth, resize } = useDrawnColumns(props, region, isPrinting)
  const { starts, stuckWidth, totalWidth } = drawnSizes(drawn, sizes)
  const stretched = stretchedField(drawn, sizes)
  const columnOrder = useMemo(() => [...drawn.fields], [drawn])
  const columnVisibility = useMemo(
    () => Object.fromEntries(REPORT_COLUMNS.map(({ field }) => [field, drawn.fields.includes(field)])),
    [drawn],
  )
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: (row) => row.project_id,
    manualSorting: true,
    enableMultiSort: false,
    state: { sorting, columnVisibility, columnOrder },
    onSortingChange: (updater) => onSortingChange(functionalUpdate(updater, sorting)),
  })
  const tableRows = table.getRowModel().rows
  const cursor = useRowCursor({ region, rows, current, onCurrentChange: props.onCurrentChange, resultKey })
  const { stop, focusRow } = cursor
  useImperativeHandle(handle, () => ({ focusRow }))
  useRowTabStops(body, stop)

  const virtualizer = useVirtualizer({
    count: tableRows.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_ESTIMATE[density],
    getItemKey: (index) => tableRows[index]?.id ?? index,
    overscan: OVERSCAN,
    // The row that has the focus or gets it by Tab stays drawn however far one scrolls, or the focus would be lost.
    rangeExtractor: useCallback((range: Range) => withStop(range, stop), [stop]),
  })
  useEffect(() => {
    if (resultKey && region.current) region.current.scrollTop = 0
  }, [resultKey])
  useEffect(() => {
    if (density) virtualizer.measure()
  }, [density, virtualizer])
  const scrolled = useScrolledSideways(region)
  const leave = useCallback(() => {
    body.current?.querySelector<HTMLElement>('tr[tabindex="0"]')?.focus()
  }, [])
  const lead = useMemo(
    () => <SelectPage rows={rows} selected={selected} onSelectPage={selectPage} />,
    [rows, selected, selectPage],
  )

  const { today, bookmarks } = useRowMarks()
  // Paper does not scroll: all rows of the page.
  const items = isPrinting
    ? tableRows.map(({ id }, index) => ({ key: id, index, start: 0, end: 0 }))
    : virtualizer.getVirtualItems()
  const below = isPrinting ? 0 : virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <section
      ref={region}
      tabIndex={0}
      aria-label="ตารางโครงการ เลื่อนได้"
      aria-busy={props.busy}
      data-scrolled={scrolled || undefined}
      data-compact={density === 'compact' || undefined}
      className="group/region relative isolate h-full overflow-auto scroll-pt-[46px] rounded-card border border-line bg-surface outline-offset-0 print:overflow-visible print:border-0 focus-visible:-outline-offset-2 data-compact:[&_.line-clamp-2:not(:focus)]:line-clamp-1"
      // What takes the focus must not hide under the pinned columns.
      style={{ scrollPaddingInlineStart: stuckWidth }}
      onFocus={cursor.onFocus}
      onBlur={cursor.onBlur}
      onKeyDown={cursor.onKeyDown}
    >
      <table
        aria-rowcount={props.total + 1}
        aria-colcount={columns.length + 1}
        // Whole pixels: at fractions of them the lines under pinned cells come and go.
        className="w-full table-fixed border-separate border-spacing-0 text-table leading-[22px] [&_.text-xs]:leading-5"
        style={{ minWidth: totalWidth, ...starts }}
      >
        <caption className="sr-only">{props.caption}</caption>
        <colgroup>
          <col className="print:hidden" style={{ width: sizes.lead }} />
          {drawn.fields.map((field) => (
            <col key={field} style={field === stretched ? undefined : { width: sizes.widthOf(field) }} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <HeaderRow
              key={group.id}
              group={group}
              drawn={drawn}
              sizes={sizes}
              sorting={sorting}
              lead={lead}
              onTry={tryWidth}
              onResize={resize}
              onLeave={leave}
            />
          ))}
        </thead>
        <tbody ref={body} className={classNames('transition-opacity', props.busy && 'opacity-50')}>
          {items.map((item, at) => {
            const row = tableRows[item.index]
            const gap = item.start - (items[at - 1]?.end ?? 0)
            if (!row) return null
            return (
              <Fragment key={item.key}>
                <Gap height={gap} />
                <TableRow
                  row={row}
                  index={item.index}
                  rowIndex={props.offset + item.index + 2}
                  drawn={drawn}
                  today={today}
                  isStarred={bookmarks.has(row.id)}
                  isSelected={selected.has(row.id)}
                  onSelect={select}
                  isCurrent={row.id === current}
                  isTabStop={item.index === stop}
                  measure={virtualizer.measureElement}
                />
              </Fragment>
            )
          })}
          <Gap height={below} />
        </tbody>
      </table>
    </section>
  )
}

/** Room of the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden style={{ height }}>
      <td className="p-0" />
    </tr>
  )
}

function withStop(range: Range, stop: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (stop >= range.count || indexes.includes(stop)) return indexes
  return [...indexes, stop].sort((a, b) => a - b)
}

/** Whether columns have slid under the pinned ones, which then need an edge. */
function useScrolledSideways(region: RefObject<HTMLElement | null>): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const element = region.current
    if (!element) return
    const update = () => setScrolled(element.scrollLeft > 0)
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [region])
  return scrolled
}
