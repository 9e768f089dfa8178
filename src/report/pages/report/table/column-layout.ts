import type { ColumnSizingState, TableState } from '@tanstack/react-table'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ReportTableInstance, reportTableFeatures } from './report-columns.tsx'

/** Maximum share of the scroll region for pinned columns. Two columns fit a tablet's 736 px. */
const MAX_PINNED_SHARE = 0.65

type TableColumnState = Pick<
  TableState<typeof reportTableFeatures>,
  'columnOrder' | 'columnVisibility' | 'columnPinning' | 'columnSizing'
>

export function toTableColumnState({ order, hidden, pinned, widths }: ColumnLayout): TableColumnState {
  return {
    columnOrder: [...order],
    columnVisibility: Object.fromEntries([...hidden].map((field) => [field, false])),
    columnPinning: { start: order.filter((field) => pinned.has(field)), end: [] },
    columnSizing: Object.fromEntries(widths),
  }
}

export type RenderedColumns = ReturnType<typeof getRenderedColumns>

/** Counts the pinned columns that fit. `regionWidth` in px; 0 means not measured yet. */
export function countStickyColumns(table: ReportTableInstance, lead: number, regionWidth: number): number {
  const pinned = table.getStartVisibleLeafColumns()
  if (regionWidth === 0) return pinned.length
  const endOffsets = pinned.map((column) => lead + column.getStart('start') + column.getSize())
  const tooMany = endOffsets.findIndex((end) => end > regionWidth * MAX_PINNED_SHARE)
  return tooMany === -1 ? pinned.length : tooMany
}

export function getRenderedColumns(
  { columnOrder, columnVisibility, columnPinning: { start } }: Omit<TableColumnState, 'columnSizing'>,
  stuck: number,
) {
  const allFields = [...start, ...columnOrder.filter((field) => !start.includes(field))]
  const isVisible = (field: string) => columnVisibility[field] !== false
  return {
    fields: allFields.filter(isVisible),
    /** Returns the one-based index for `aria-colindex`, counting the leading column and hidden ones. */
    ariaIndexOf: (field: string) => allFields.indexOf(field) + 2,
    stuck: start.filter(isVisible).slice(0, stuck),
  }
}

export function findStretchedColumnField({ fields }: RenderedColumns, sizing: ColumnSizingState): string | undefined {
  return fields.includes('name') && !('name' in sizing) ? 'name' : fields.at(-1)
}

/** CSS variables, so that resizing re-renders no row. `lead`: width of the first column, px. */
export function getRenderedColumnSizes(table: ReportTableInstance, { fields, stuck }: RenderedColumns, lead: number) {
  const columns = stuck.map((field) => table.getColumn(field)!)
  const lastSticky = columns.at(-1)
  return {
    startOffsets: Object.fromEntries(
      columns.map((column) => [getColumnStartCssVariable(column.id), `${lead + column.getStart('start')}px`]),
    ),
    stuckWidth: lead + (lastSticky ? lastSticky.getStart('start') + lastSticky.getSize() : 0),
    totalWidth: lead + table.getTotalSize(),
    widths: Object.fromEntries(fields.map((field) => [field, table.getColumn(field)!.getSize()])),
  }
}

const getColumnStartCssVariable = (field: string) => `--start-${field}`

export function getPinnedCellInsetStyle(
  columns: RenderedColumns,
  id: string,
): { insetInlineStart: string } | undefined {
  return columns.stuck.includes(id) ? { insetInlineStart: `var(${getColumnStartCssVariable(id)})` } : undefined
}

const EDGE = 'group-data-scrolled/region:border-r group-data-scrolled/region:border-r-line-strong'

export function getPinnedCellClasses({ stuck }: RenderedColumns, id: string): string | false {
  const at = stuck.indexOf(id)
  return at !== -1 && classNames('sticky z-10', at === stuck.length - 1 && EDGE)
}

export function getSelectionCellClasses({ stuck }: RenderedColumns): string {
  return classNames('sticky start-0 z-10', stuck.length === 0 && EDGE)
}
