import type { ColumnSizingState, TableState } from '@tanstack/react-table'
import type { ColumnLayout } from '#contract/catalogue/column.ts'
import type { features, ReportTableInstance } from './report-columns.tsx'

/** Pinned columns take this share of the region at most: the others need room to scroll in. Two columns fit a tablet's 736 px. */
const PINNED_SHARE = 0.65

export type ColumnState = Pick<
  TableState<typeof features>,
  'columnOrder' | 'columnVisibility' | 'columnPinning' | 'columnSizing'
>

/** The state of the table that a user's layout stands for. */
export function columnStateOf({ order, hidden, pinned, widths }: ColumnLayout): ColumnState {
  return {
    columnOrder: [...order],
    columnVisibility: Object.fromEntries([...hidden].map((field) => [field, false])),
    columnPinning: { start: order.filter((field) => pinned.has(field)), end: [] },
    columnSizing: Object.fromEntries(widths),
  }
}

export type DrawnColumns = {
  /** Ids from start to end, as drawn. */
  readonly fields: readonly string[]
  /** Place among all columns, the leading one and hidden ones counted, from 1: what `aria-colindex` says. */
  readonly placeOf: (field: string) => number
  /** Pinned columns that stay in sight while the others scroll. */
  readonly stuck: readonly string[]
}

/** How many of the pinned columns may stick in a region of this width, px; 0 is a region that nobody has measured. */
export function stuckCount(table: ReportTableInstance, lead: number, regionWidth: number): number {
  const pinned = table.getStartVisibleLeafColumns()
  if (regionWidth === 0) return pinned.length
  const ends = pinned.map((column) => lead + column.getStart('start') + column.getSize())
  const tooMany = ends.findIndex((end) => end > regionWidth * PINNED_SHARE)
  return tooMany === -1 ? pinned.length : tooMany
}

/** The columns as they are drawn: the pinned ones first, without the hidden. */
export function drawnColumns(table: ReportTableInstance, stuck: number): DrawnColumns {
  const all = [...table.getStartLeafColumns(), ...table.getCenterLeafColumns()].map(({ id }) => id)
  const pinned = table.getStartVisibleLeafColumns()
  return {
    fields: [...pinned, ...table.getCenterVisibleLeafColumns()].map(({ id }) => id),
    placeOf: (field) => all.indexOf(field) + 2,
    stuck: pinned.slice(0, stuck).map(({ id }) => id),
  }
}

/** The one column without a width of its own: it takes what the others leave. */
export function stretchedField({ fields }: DrawnColumns, sizing: ColumnSizingState): string | undefined {
  return fields.includes('name') && !('name' in sizing) ? 'name' : fields.at(-1)
}

export type DrawnSizes = {
  /** Distance of each stuck column from the start edge, px, as variables that its cells read. */
  readonly starts: Readonly<Record<string, string>>
  /** Width of all columns that stay in sight, px. */
  readonly stuckWidth: number
  readonly totalWidth: number
}

/** What the table needs to know of the widths: rows read the variables, so a new width redraws none of them. `lead`: the first column, px. */
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
