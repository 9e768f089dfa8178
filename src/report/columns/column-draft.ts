import { type ColumnLayout, columnSettingsOf, mergeColumns } from '#contract/catalogue/column.ts'
import { DEFAULT_COLUMN_ORDER, REPORT_COLUMNS, type ReportColumnField } from '#contract/catalogue/report-columns.ts'

export const DEFAULT_COLUMN_LAYOUT: ColumnLayout = mergeColumns([])

const TITLES: ReadonlyMap<ReportColumnField, string> = new Map(REPORT_COLUMNS.map(({ field, title }) => [field, title]))

export function columnTitle(field: ReportColumnField): string {
  return TITLES.get(field) ?? field
}

export function isSameColumnLayout(a: ColumnLayout, b: ColumnLayout): boolean {
  return JSON.stringify(columnSettingsOf(a)) === JSON.stringify(columnSettingsOf(b))
}

export function moveColumn(layout: ColumnLayout, field: ReportColumnField, to: number): ColumnLayout {
  const otherFields = layout.order.filter((candidate) => candidate !== field)
  const at = Math.min(otherFields.length, Math.max(0, to))
  return { ...layout, order: [...otherFields.slice(0, at), field, ...otherFields.slice(at)] }
}

function withMembers<T>(set: ReadonlySet<T>, members: readonly T[], isIn: boolean): ReadonlySet<T> {
  const result = new Set(set)
  for (const member of members) {
    if (isIn) result.add(member)
    else result.delete(member)
  }
  return result
}

export function setColumnsVisible(
  layout: ColumnLayout,
  fields: readonly ReportColumnField[],
  isVisible: boolean,
): ColumnLayout {
  return { ...layout, hidden: withMembers(layout.hidden, fields, !isVisible) }
}

export function setColumnPinned(layout: ColumnLayout, field: ReportColumnField, isPinned: boolean): ColumnLayout {
  return { ...layout, pinned: withMembers(layout.pinned, [field], isPinned) }
}

export function visibleColumnCount({ hidden }: ColumnLayout): number {
  return DEFAULT_COLUMN_ORDER.length - hidden.size
}

export function findColumns({ order }: ColumnLayout, query: string): readonly ReportColumnField[] {
  const plain = (text: string) => text.normalize('NFC').toLowerCase()
  const words = plain(query).trim()
  return words === '' ? order : order.filter((field) => plain(columnTitle(field)).includes(words))
}
