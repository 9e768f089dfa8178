import { type ColumnLayout, columnSettingsOf, mergeColumns } from '#contract/report/column.ts'
import type { ReportColumnField } from '#contract/report/report-columns.ts'
import type { UserPatch } from '#contract/user/user-patch.ts'
import { patchUser } from '#src/api/user/user-patches.ts'

const FAILED = 'บันทึกคอลัมน์ไม่สำเร็จ'
/** The default layout is stored as nothing at all, so that it stays the default when that changes. */
const DEFAULTS = JSON.stringify(columnSettingsOf(mergeColumns([])))

/** The patch that stores a layout. */
export function columnsPatch(layout: ColumnLayout): UserPatch {
  const settings = columnSettingsOf(layout)
  return { customize_report_table: JSON.stringify(settings) === DEFAULTS ? [] : settings }
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
