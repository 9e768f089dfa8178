import { type ColumnSizingState, functionalUpdate, useTable } from '@tanstack/react-table'
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import type { Selection } from '#src/report/selection/use-selection.ts'
import { columnStateOf, drawnColumns, stuckCount } from './column-layout.ts'
import { columnsWithName, features } from './report-columns.tsx'

/** Width of the checkbox and the star, px: 44 for each under a finger. */
const LEAD_WIDTH = { mouse: 60, finger: 96 } as const

export type ReportTableOptions = {
  rows: readonly ReportRow[]
  /** Order, visibility, pins and widths as the user has stored them. */
  layout: ColumnLayout
  /** Width of the name column at least, unless the user has sized it; it takes what the others leave, px. */
  nameWidth: number
  /** A wide window: other columns grow too. */
  isRoomy: boolean
  selection: Pick<Selection, 'rowSelection' | 'onRowSelectionChange'>
  /** A column's new width, undefined for the default; settled once it is kept or refused. */
  onResize: (field: ReportColumnField, width: number | undefined) => Promise<unknown>
}

/**
 * The table of the report. Its column state is the user's layout and its row selection the page's; only widths that are being tried out,
 * while the handle of a column is held, are its own.
 */
export function useReportTable(
  { rows, layout, nameWidth, isRoomy, selection, onResize }: ReportTableOptions,
  region: RefObject<HTMLElement | null>,
) {
  const [tried, setTried] = useState<ColumnSizingState>()
  const state = useMemo(() => columnStateOf(layout), [layout])
  const columnSizing = tried ?? state.columnSizing
  const columns = useMemo(() => columnsWithName(nameWidth, isRoomy), [nameWidth, isRoomy])
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: (row) => row.project_id,
    state: { ...state, columnSizing, rowSelection: selection.rowSelection },
    onRowSelectionChange: selection.onRowSelectionChange,
    onColumnSizingChange: (update) => setTried((now) => functionalUpdate(update, now ?? state.columnSizing)),
    isRowRangeSelectionEvent: holdsShift,
  })

  const hasFinger = useMediaQuery('(pointer: coarse)')
  const lead = hasFinger ? LEAD_WIDTH.finger : LEAD_WIDTH.mouse
  const regionWidth = useWidth(region)
  const stuck = stuckCount(table, lead, regionWidth)
  const { columnOrder, columnVisibility, columnPinning } = table.state
  // Another object only when columns are shown, hidden or moved: every row is drawn anew then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table is another object in every drawing; these are what it reads
  const drawn = useMemo(() => drawnColumns(table, stuck), [columnOrder, columnVisibility, columnPinning, stuck])

  const latest = useRef({ onResize, stored: state.columnSizing })
  useLayoutEffect(() => {
    latest.current = { onResize, stored: state.columnSizing }
  })
  const giveUp = useCallback(() => setTried(undefined), [])
  const resize = useCallback(async (field: ReportColumnField, width: number | undefined) => {
    const shown = width === undefined ? undefined : { ...latest.current.stored, [field]: width }
    setTried(shown)
    await latest.current.onResize(field, width)
    // From here on the layout says it, or says that it was refused; unless another handle is held by now.
    setTried((now) => (now === shown ? undefined : now))
  }, [])
  return { table, drawn, lead, columnSizing, giveUp, resize }
}

function holdsShift(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'shiftKey' in event && event.shiftKey === true
}

/** Width of an element as it changes, px; 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
