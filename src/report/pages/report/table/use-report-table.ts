import { type ColumnSizingState, functionalUpdate, useTable } from '@tanstack/react-table'
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { countStickyColumns, getRenderedColumns, toTableColumnState } from './column-layout.ts'
import { buildReportTableColumns, reportTableFeatures } from './report-columns.tsx'

/** Width of the column with checkbox and star, px; 44 px each on touch screens. */
const LEAD_WIDTH = { mouse: 60, finger: 96 } as const

type ReportTableOptions = {
  rows: readonly ReportRow[]
  layout: ColumnLayout
  selection: Pick<ReportSelection, 'rowSelection' | 'onRowSelectionChange'>
  /** Settles once the width is stored or refused. `undefined` restores the default. */
  onResize: (field: ReportColumnField, width: number | undefined) => Promise<unknown>
}

export function useReportTable(
  { rows, layout, selection, onResize }: ReportTableOptions,
  region: RefObject<HTMLElement | null>,
) {
  const [previewSizing, setPreviewSizing] = useState<ColumnSizingState>()
  // `useMemo`, because React Compiler leaves these objects uncached, and new ones re-render every row.
  const state = useMemo(() => toTableColumnState(layout), [layout])
  const columnSizing = previewSizing ?? state.columnSizing
  const isRoomy = useMediaQuery('(min-width: 100rem)')
  const columns = useMemo(() => buildReportTableColumns(isRoomy ? 'roomy' : 'tight'), [isRoomy])
  const table = useTable({
    features: reportTableFeatures,
    columns,
    data: rows,
    getRowId: (row) => row.project_id,
    state: { ...state, columnSizing, rowSelection: selection.rowSelection },
    onRowSelectionChange: selection.onRowSelectionChange,
    onColumnSizingChange: (update) =>
      setPreviewSizing((current) => functionalUpdate(update, current ?? state.columnSizing)),
    isRowRangeSelectionEvent: hasShiftKey,
  })

  const hasFinger = useMediaQuery('(pointer: coarse)')
  const lead = hasFinger ? LEAD_WIDTH.finger : LEAD_WIDTH.mouse
  const regionWidth = useWidth(region)
  const stuck = countStickyColumns(table, lead, regionWidth)
  // Not computed from the table, which changes with every selection.
  const renderedColumns = useMemo(() => getRenderedColumns(state, stuck), [state, stuck])

  const cancelResize = () => setPreviewSizing(undefined)
  const resize = async (field: ReportColumnField, width: number | undefined) => {
    const preview = width === undefined ? undefined : { ...state.columnSizing, [field]: width }
    setPreviewSizing(preview)
    await onResize(field, width)
    // The layout has applied or rejected the width, so clear the preview unless another resize has begun.
    setPreviewSizing((current) => (current === preview ? undefined : current))
  }
  return { table, renderedColumns, lead, columnSizing, cancelResize, resize }
}

function hasShiftKey(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'shiftKey' in event && event.shiftKey === true
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
