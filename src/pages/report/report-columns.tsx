import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  type Table,
  tableFeatures,
} from '@tanstack/react-table'
import { COLUMN_WIDTH } from '#contract/column.ts'
import type { ReportRow } from '#contract/report.ts'
import { REPORT_COLUMNS, type ReportColumnField, type ReportSortField } from '#contract/report-columns.ts'
import { CELLS, type Cell } from './report-cells.tsx'

type ColumnMeta = {
  /** Numbers stand at the right edge. */
  readonly alignEnd: boolean
  /** Undefined: cannot be sorted by. */
  readonly firstOrder: 'asc' | 'desc' | undefined
}

/** The column that the rows are ordered by; none is the server's own order. */
export type Sorting = readonly { readonly id: string; readonly desc: boolean }[]

// The server filters, sorts and pages, so no row model is registered. The order of the rows is the address's.
export const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
})

export type ReportTableInstance = Table<typeof features, ReportRow>

const helper = createColumnHelper<typeof features, ReportRow>()

type Listed = (typeof REPORT_COLUMNS)[number]
const sortOf = (column: Listed): ReportSortField | undefined => ('sort' in column ? column.sort : undefined)
/** Money is asked for largest first, days of announcement newest first, deadlines nearest first. */
const FIRST_ASCENDING: readonly ReportSortField[] = ['draft_discussion_end_date', 'submission_end_date']

export const columns = helper.columns(
  REPORT_COLUMNS.map((column) => {
    const cell: Cell = CELLS[column.field]
    const sort = sortOf(column)
    return helper.accessor((row: ReportRow) => row[column.field], {
      id: column.field,
      header: column.title,
      size: column.width,
      minSize: COLUMN_WIDTH.min,
      maxSize: COLUMN_WIDTH.max,
      meta: {
        alignEnd: column.kind === 'money',
        firstOrder: sort && (FIRST_ASCENDING.includes(sort) ? 'asc' : 'desc'),
      },
      cell: ({ row }) => cell(row.original),
    })
  }),
)

/** All columns, the name with another default width, px. */
export const columnsWithName = (size: number) =>
  columns.map((column) => (column.id === 'name' ? { ...column, size } : column))

const FIELD_OF_SORT = new Map<string, ReportColumnField>(
  REPORT_COLUMNS.flatMap((column) => ('sort' in column ? [[column.sort, column.field] as const] : [])),
)
const SORT_OF_FIELD = new Map<string, ReportSortField>(
  [...FIELD_OF_SORT].map(([sort, field]) => [field, sort as ReportSortField]),
)

/** `ordering` of the address as the table's sorting; none is the server's own order. */
export function sortingOf(ordering: string | undefined): Sorting {
  const desc = ordering?.startsWith('-') === true
  const field = ordering && FIELD_OF_SORT.get(desc ? ordering.slice(1) : ordering)
  return field ? [{ id: field, desc }] : []
}

/** The table's sorting as `ordering` of the address. */
export function orderingOf(sorting: Sorting): string | undefined {
  const first = sorting[0]
  const sort = first && SORT_OF_FIELD.get(first.id)
  return sort && `${first.desc ? '-' : ''}${sort}`
}

/** The order after a press on a column's header: first its own direction, then the other, then the server's order again. */
export function nextSorting([now]: Sorting, id: string, firstOrder: 'asc' | 'desc'): Sorting {
  const firstDesc = firstOrder === 'desc'
  if (now?.id !== id) return [{ id, desc: firstDesc }]
  return now.desc === firstDesc ? [{ id, desc: !firstDesc }] : []
}
