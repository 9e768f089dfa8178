import type { ColumnLayout } from '#contract/column.ts'
import { REPORT_COLUMNS, type ReportColumnField } from '#contract/report-columns.ts'

/** These stay in sight while the other columns scroll, in this order, before all others. */
const PINNED: readonly ReportColumnField[] = ['change_status', 'name']

/** Width of each column before the name takes what is left, px. */
const WIDTHS: ReadonlyMap<ReportColumnField, number> = new Map(REPORT_COLUMNS.map(({ field, width }) => [field, width]))

export type DrawnColumns = {
  /** Fields from start to end, as drawn. */
  readonly fields: readonly ReportColumnField[]
  /** Place among all columns, hidden ones counted, from 1: what `aria-colindex` says. */
  readonly placeOf: (field: ReportColumnField) => number
  readonly widthOf: (field: ReportColumnField) => number
  /** Distance of a pinned column from the start edge, px; undefined for the columns that scroll. */
  readonly offsetOf: (field: ReportColumnField) => number | undefined
  /** Width of all pinned columns, px. */
  readonly pinnedWidth: number
  readonly totalWidth: number
}

/** The columns to draw: the pinned ones first, without the hidden, with their widths and the offsets at which they stick. */
export function drawnColumns({ order, hidden }: ColumnLayout, nameWidth: number): DrawnColumns {
  const widthOf = (field: ReportColumnField) => (field === 'name' ? nameWidth : (WIDTHS.get(field) ?? 0))
  const all = [...PINNED, ...order.filter((field) => !PINNED.includes(field))]
  const fields = all.filter((field) => !hidden.has(field))
  const pinned = PINNED.filter((field) => !hidden.has(field))
  const widthUpTo = (count: number) => fields.slice(0, count).reduce((sum, field) => sum + widthOf(field), 0)
  const offsets = new Map(pinned.map((field, index) => [field, widthUpTo(index)]))
  return {
    fields,
    placeOf: (field) => all.indexOf(field) + 1,
    widthOf,
    offsetOf: (field) => offsets.get(field),
    pinnedWidth: widthUpTo(pinned.length),
    totalWidth: widthUpTo(fields.length),
  }
}
