import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table'
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type FocusEvent, Fragment, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ColumnLayout } from '#contract/column.ts'
import type { ReportRow } from '#contract/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { drawnColumns } from './column-layout.ts'
import { columns, features } from './report-columns.tsx'
import { HeaderRow } from './report-table-header.tsx'
import { TableRow } from './report-table-row.tsx'

/** Height of a row with a name on two lines and labels, before it is measured, in px. */
const ROW_ESTIMATE = 74
const OVERSCAN = 6

type ReportTableProps = {
  rows: ReportRow[]
  layout: ColumnLayout
  /** Width of the name column at least; it takes what the others leave, px. */
  nameWidth: number
  sorting: SortingState
  onSortingChange: (sorting: SortingState) => void
  /** Projects found and how many stand before this page, for `aria-rowcount` and `aria-rowindex`. */
  total: number
  offset: number
  /** Said by the caption: what is shown and in which order. */
  caption: string
  /** Old rows are shown while new ones are on their way. */
  busy: boolean
  /** Changes with the result: the table goes back to its top. */
  resultKey: string
}

/** The report as a table: sticky header, first columns pinned, rows drawn as they come into sight. */
export function ReportTable({
  rows,
  layout,
  nameWidth,
  sorting,
  onSortingChange,
  total,
  offset,
  caption,
  busy,
  resultKey,
}: ReportTableProps) {
  const drawn = useMemo(() => drawnColumns(layout, nameWidth), [layout, nameWidth])
  const columnOrder = useMemo(() => [...drawn.fields], [drawn])
  const columnVisibility = useMemo(
    () => Object.fromEntries([...layout.hidden].map((field) => [field, false])),
    [layout],
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
  const region = useRef<HTMLElement>(null)
  const focused = useRef<number>(undefined)
  const tableRows = table.getRowModel().rows
  const virtualizer = useVirtualizer({
    count: tableRows.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_ESTIMATE,
    getItemKey: (index) => tableRows[index]?.id ?? index,
    overscan: OVERSCAN,
    // A row that holds the focus stays drawn however far one scrolls, or the focus would be lost.
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused.current), []),
  })
  useEffect(() => {
    if (resultKey && region.current) region.current.scrollTop = 0
  }, [resultKey])
  const scrolled = useScrolledSideways(region)

  const items = virtualizer.getVirtualItems()
  return (
    <section
      ref={region}
      tabIndex={0}
      aria-label="ตารางโครงการ เลื่อนได้"
      aria-busy={busy}
      data-scrolled={scrolled || undefined}
      className="group/region relative h-full overflow-auto scroll-pt-11 rounded-card border border-line bg-surface outline-offset-0 focus-visible:-outline-offset-2"
      // What takes the focus must not hide under the pinned columns.
      style={{ scrollPaddingInlineStart: drawn.pinnedWidth }}
      onFocus={(event) => {
        focused.current = rowIndexOf(event)
      }}
      onBlur={() => {
        focused.current = undefined
      }}
    >
      <table
        aria-rowcount={total + 1}
        aria-colcount={columns.length}
        // Whole pixels: at fractions of them the lines under pinned cells come and go.
        className="w-full table-fixed border-separate border-spacing-0 text-table leading-[22px] [&_.text-xs]:leading-5"
        style={{ minWidth: drawn.totalWidth }}
      >
        <caption className="sr-only">{caption}</caption>
        <colgroup>
          {drawn.fields.map((field) => (
            <col key={field} style={field === 'name' ? undefined : { width: drawn.widthOf(field) }} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <HeaderRow key={group.id} group={group} drawn={drawn} />
          ))}
        </thead>
        <tbody className={classNames('transition-opacity', busy && 'opacity-50')}>
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
                  rowIndex={offset + item.index + 2}
                  drawn={drawn}
                  measure={virtualizer.measureElement}
                />
              </Fragment>
            )
          })}
          <Gap height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
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

function withFocused(range: Range, focused: number | undefined): number[] {
  const indexes = defaultRangeExtractor(range)
  if (focused === undefined || focused >= range.count || indexes.includes(focused)) return indexes
  return [...indexes, focused].sort((a, b) => a - b)
}

function rowIndexOf(event: FocusEvent): number | undefined {
  const index = (event.target as HTMLElement).closest('tr[data-index]')?.getAttribute('data-index')
  return index == null ? undefined : Number(index)
}

/** Whether columns have slid under the pinned ones, which then need an edge. */
function useScrolledSideways(region: { readonly current: HTMLElement | null }): boolean {
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
