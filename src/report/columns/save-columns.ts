import { type ColumnLayout, columnSettingsOf } from '#contract/catalogue/column.ts'
import type { ReportColumnField } from '#contract/catalogue/report-columns.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { patchUser } from '#src/report/api/patch-user.ts'

const FAILED = 'บันทึกคอลัมน์ไม่สำเร็จ'

/** The patch that stores a layout, the default one too: an empty list is an account that has never chosen, and is asked. */
export function columnsPatch(layout: ColumnLayout): UserPatch {
  return { customize_report_table: columnSettingsOf(layout) }
}

/** Stores a layout, with a way back. */
export function saveColumns(layout: ColumnLayout): Promise<boolean> {
  return patchUser(columnsPatch(layout), { failed: FAILED, done: 'บันทึกคอลัมน์แล้ว' })
}

/** Stores the width of one column, `undefined` being the default; says nothing, for it is seen. */
export function saveColumnWidth(
  layout: ColumnLayout,
  field: ReportColumnField,
  width: number | undefined,
): Promise<boolean> {
  const widths = new Map(layout.widths)
  if (width === undefined) widths.delete(field)
  else widths.set(field, width)
  return patchUser(columnsPatch({ ...layout, widths }), { failed: 'บันทึกความกว้างคอลัมน์ไม่สำเร็จ' })
}
