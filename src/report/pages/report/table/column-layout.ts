import type { ColumnSizingState, TableState } from '@tanstack/react-table'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import type { features, ReportTableInstance } from './report-columns.tsx'

/** Maximum share of the region for pinned columns; the rest needs room to scroll. Two columns fit a tablet's 736 px. */
const PINNED_SHARE = 0.65

export type ColumnState = Pick<
  TableState<typeof features>,
  'columnOrder' | 'columnVisibility' | 'columnPinning' | 'columnSizing'
>

export function columnStateOf({ order, hidden, pinned, widths }: ColumnLayout): ColumnState {
  return {
    columnOrder: [...order],
    columnVisibility: Object.fromEntries([...hidden].map((field) => [field, false])),
    columnPinning: { start: order.filter((field) => pinned.has(field)), end: [] },
    columnSizing: Object.fromEntries(widths),
  }
}

export type DrawnColumns = {
  readonly fields: readonly string[]
  /** One-based index for `aria-colindex`, counting the leading column and hidden ones. */
  readonly placeOf: (field: string) => number
  readonly stuck: readonly string[]
}

/** Number of pinned columns that may be sticky in a region of this width, px; 0 means not measured yet. */
export function stuckCount(table: ReportTableInstance, lead: number, regionWidth: number): number {
  const pinned = table.getStartVisibleLeafColumns()
  if (regionWidth === 0) return pinned.length
  const ends = pinned.map((column) => lead + column.getStart('start') + column.getSize())
  const tooMany = ends.findIndex((end) => end > regionWidth * PINNED_SHARE)
  return tooMany === -1 ? pinned.length : tooMany
}

export function drawnColumns(table: ReportTableInstance, stuck: number): DrawnColumns {
  const all = [...table.getStartLeafColumns(), ...table.getCenterLeafColumns()].map(({ id }) => id)
  const pinned = table.getStartVisibleLeafColumns()
  return {
    fields: [...pinned, ...table.getCenterVisibleLeafColumns()].map(({ id }) => id),
    placeOf: (field) => all.indexOf(field) + 2,
    stuck: pinned.slice(0, stuck).map(({ id }) => id),
  }
}

/** The column without a fixed width; it takes the remaining space. */
export function stretchedField({ fields }: DrawnColumns, sizing: ColumnSizingState): string | undefined {
  return fields.includes('name') && !('name' in sizing) ? 'name' : fields.at(-1)
}

export type DrawnSizes = {
  /** Offset of each sticky column from the start edge, px, as CSS variables read by its cells. */
  readonly starts: Readonly<Record<string, string>>
  readonly stuckWidth: number
  readonly totalWidth: number
}

/** Widths as CSS variables, so that resizing re-renders no row. `lead`: width of the first column, px. */
export function drawnSizes(table: ReportTableInstance, { stuck }: DrawnColumns, lead: number): DrawnSizes {
  const columns = stuck.map((field) => table.getColumn(field)!)
  const last = columns.at(-1)
  return {
    starts: Object.fromEntries(
      columns.map((column) => [startVariable(column.id), `${lead + column.getStart('start')}px`]),
    ),
    stuckWidth: lead + (last ? last.getStart('start') + last.getSize() : 0),
    totalWidth: lead + table.getTotalSize(),
  }
}

export const startVariable = (field: string) => `--start-${field}`
