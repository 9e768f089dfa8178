import { type ColumnLayout, toColumnSettings } from '#contract/catalogue/column.ts'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { patchUser } from '#src/report/api/user-patches.ts'

/** Stores the default explicitly, because an empty list means that the user has never chosen and gets the prompt. */
export function buildReportColumnsPatch(layout: ColumnLayout): UserPatch {
  return { customize_report_table: toColumnSettings(layout) }
}

export function saveReportColumns(layout: ColumnLayout): Promise<boolean> {
  return patchUser(buildReportColumnsPatch(layout), { failed: 'บันทึกคอลัมน์ไม่สำเร็จ', done: 'บันทึกคอลัมน์แล้ว' })
}

/** Shows no success message, because the effect is visible. `undefined` restores the default. */
export function saveReportColumnWidth(
  layout: ColumnLayout,
  field: ReportColumnField,
  width: number | undefined,
): Promise<boolean> {
  const widths = new Map(layout.widths)
  if (width === undefined) widths.delete(field)
  else widths.set(field, width)
  return patchUser(buildReportColumnsPatch({ ...layout, widths }), { failed: 'บันทึกความกว้างคอลัมน์ไม่สำเร็จ' })
}
