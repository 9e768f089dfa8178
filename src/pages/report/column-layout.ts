import type { ColumnLayout } from '#contract/column.ts'
import { REPORT_COLUMNS, type ReportColumnField } from '#contract/report-columns.ts'

/** Width of each column before the user changes it, px. */
const WIDTHS: ReadonlyMap<ReportColumnField, number> = new Map(REPORT_COLUMNS.map(({ field, width }) => [field, width]))
/** Pinned columns take this share of the region at most: the others need room to scroll in. Two columns fit a tablet's 736 px. */
const PINNED_SHARE = 0.65

/** A width that is being tried out: the handle of a column is held. */
export type TriedWidth = { readonly field: ReportColumnField; readonly width: number }

export type ColumnSizes = {
  /** Of the column with the checkbox and the star, before all others, px. */
  readonly lead: number
  readonly widthOf: (field: ReportColumnField) => number
  /** The user chose this width, so the column does not stretch. */
  readonly isFixed: (field: ReportColumnField) => boolean
}

/** Widths of the columns; `nameWidth` is the least width of a name that the user has not sized. */
export function columnSizes(
  { widths }: Pick<ColumnLayout, 'widths'>,
  { lead, nameWidth, tried }: { lead: number; nameWidth: number; tried?: TriedWidth | undefined },
): ColumnSizes {
  const chosen = (field: ReportColumnField) => (tried?.field === field ? tried.width : widths.get(field))
  return {
    lead,
    widthOf: (field) => chosen(field) ?? (field === 'name' ? nameWidth : (WIDTHS.get(field) ?? 0)),
    isFixed: (field) => chosen(field) !== undefined,
  }
}

export type DrawnColumns = {
  /** Fields from start to end, as drawn. */
  readonly fields: readonly ReportColumnField[]
  /** Place among all columns, the leading one and hidden ones counted, from 1: what `aria-colindex` says. */
  readonly placeOf: (field: ReportColumnField) => number
  /** Pinned fields that stay in sight while the others scroll. */
  readonly stuck: readonly ReportColumnField[]
}

const sumOf = (fields: readonly ReportColumnField[], sizes: ColumnSizes) =>
  fields.reduce((sum, field) => sum + sizes.widthOf(field), sizes.lead)

function shownPinned({ order, hidden, pinned }: ColumnLayout): ReportColumnField[] {
  return order.filter((field) => pinned.has(field) && !hidden.has(field))
}

/** How many of the pinned columns may stick in a region of this width, px; 0 is a region that nobody has measured. */
export function stuckCount(layout: ColumnLayout, sizes: ColumnSizes, regionWidth: number): number {
  const pinned = shownPinned(layout)
  if (regionWidth === 0) return pinned.length
  const tooMany = pinned.findIndex((_, at) => sumOf(pinned.slice(0, at + 1), sizes) > regionWidth * PINNED_SHARE)
  return tooMany === -1 ? pinned.length : tooMany
}

/** The columns to draw: the pinned ones first, without the hidden. */
export function drawnColumns(layout: ColumnLayout, stuck: number): DrawnColumns {
  const { order, hidden, pinned } = layout
  const all = [...order.filter((field) => pinned.has(field)), ...order.filter((field) => !pinned.has(field))]
  return {
    fields: all.filter((field) => !hidden.has(field)),
    placeOf: (field) => all.indexOf(field) + 2,
    stuck: shownPinned(layout).slice(0, stuck),
  }
}

/** The one column without a width of its own: it takes what the others leave. */
export function stretchedField({ fields }: DrawnColumns, sizes: ColumnSizes): ReportColumnField | undefined {
  return fields.includes('name') && !sizes.isFixed('name') ? 'name' : fields.at(-1)
}

export type DrawnSizes = {
  /** Distance of each stuck column from the start edge, px, as variables that its cells read. */
  readonly starts: Readonly<Record<string, string>>
  /** Width of all columns that stay in sight, px. */
  readonly stuckWidth: number
  readonly totalWidth: number
}

/** What the table needs to know of the widths: rows read the variables, so a new width redraws none of them. */
export function drawnSizes({ fields, stuck }: DrawnColumns, sizes: ColumnSizes): DrawnSizes {
  return {
    starts: Object.fromEntries(
      stuck.map((field, at) => [startVariable(field), `${sumOf(stuck.slice(0, at), sizes)}px`]),
    ),
    stuckWidth: sumOf(stuck, sizes),
    totalWidth: sumOf(fields, sizes),
  }
}

export const startVariable = (field: ReportColumnField) => `--start-${field}`

/** A sheet of A4 on its side at the size at which a report is printed (src/styles.css), px. */
const PAPER_WIDTH = 1380

/** As many columns as a sheet has room for, the first of those on the screen; a column cut in two says nothing. */
export function onPaper(drawn: DrawnColumns, sizes: ColumnSizes): DrawnColumns {
  const fits = drawn.fields.filter((_, at) => sumOf(drawn.fields.slice(0, at + 1), sizes) <= PAPER_WIDTH)
  return { ...drawn, fields: fits, stuck: [] }
}
