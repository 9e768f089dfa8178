import { type ColumnLayout, mergeColumnSettings, toColumnSettings } from '#contract/catalogue/column.ts'
import {
  DEFAULT_REPORT_COLUMN_ORDER,
  findReportColumn,
  type ReportColumnField,
} from '#contract/catalogue/report-columns.ts'

export const DEFAULT_REPORT_COLUMN_LAYOUT: ColumnLayout = mergeColumnSettings([])

export function getReportColumnTitle(field: ReportColumnField): string {
  return findReportColumn(field)?.title ?? field
}

export function isSameReportColumnLayout(a: ColumnLayout, b: ColumnLayout): boolean {
  return JSON.stringify(toColumnSettings(a)) === JSON.stringify(toColumnSettings(b))
}

export function moveReportColumn(layout: ColumnLayout, field: ReportColumnField, to: number): ColumnLayout {
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

export function setReportColumnsVisible(
  layout: ColumnLayout,
  fields: readonly ReportColumnField[],
  isVisible: boolean,
): ColumnLayout {
  return { ...layout, hidden: withMembers(layout.hidden, fields, !isVisible) }
}

export function setReportColumnPinned(layout: ColumnLayout, field: ReportColumnField, isPinned: boolean): ColumnLayout {
  return { ...layout, pinned: withMembers(layout.pinned, [field], isPinned) }
}

export function countVisibleReportColumns({ hidden }: ColumnLayout): number {
  return DEFAULT_REPORT_COLUMN_ORDER.length - hidden.size
}

export function findMatchingReportColumns({ order }: ColumnLayout, query: string): readonly ReportColumnField[] {
  const plain = (text: string) => text.normalize('NFC').toLowerCase()
  const words = plain(query).trim()
  return words === '' ? order : order.filter((field) => plain(getReportColumnTitle(field)).includes(words))
}
