import { type ColumnLayout, columnSettingsOf, mergeColumns } from '#contract/catalogue/column.ts'
import { DEFAULT_COLUMN_ORDER, REPORT_COLUMNS, type ReportColumnField } from '#contract/catalogue/report-columns.ts'

/** Reset target: default order, widths and pins, all columns visible. */
export const DEFAULT_LAYOUT: ColumnLayout = mergeColumns([])

const TITLES: ReadonlyMap<ReportColumnField, string> = new Map(REPORT_COLUMNS.map(({ field, title }) => [field, title]))

export function columnTitle(field: ReportColumnField): string {
  return TITLES.get(field) ?? field
}

export function isSameLayout(a: ColumnLayout, b: ColumnLayout): boolean {
  return JSON.stringify(columnSettingsOf(a)) === JSON.stringify(columnSettingsOf(b))
}

/** Moves a column to a zero-based index. */
export function withMoved(layout: ColumnLayout, field: ReportColumnField, to: number): ColumnLayout {
  const others = layout.order.filter((one) => one !== field)
  const at = Math.min(others.length, Math.max(0, to))
  return { ...layout, order: [...others.slice(0, at), field, ...others.slice(at)] }
}

function withMembers<T>(set: ReadonlySet<T>, members: readonly T[], isIn: boolean): ReadonlySet<T> {
  const next = new Set(set)
  for (const member of members) {
    if (isIn) next.add(member)
    else next.delete(member)
  }
  return next
}

export function withShown(layout: ColumnLayout, fields: readonly ReportColumnField[], shown: boolean): ColumnLayout {
  return { ...layout, hidden: withMembers(layout.hidden, fields, !shown) }
}

export function withPinned(layout: ColumnLayout, field: ReportColumnField, pinned: boolean): ColumnLayout {
  return { ...layout, pinned: withMembers(layout.pinned, [field], pinned) }
}

export function shownCount({ hidden }: ColumnLayout): number {
  return DEFAULT_COLUMN_ORDER.length - hidden.size
}

/** Columns whose title contains the text, ignoring case and Unicode form. */
export function foundColumns({ order }: ColumnLayout, sought: string): readonly ReportColumnField[] {
  const plain = (text: string) => text.normalize('NFC').toLowerCase()
  const words = plain(sought).trim()
  return words === '' ? order : order.filter((field) => plain(columnTitle(field)).includes(words))
}
