import { REPORT_COLUMNS, type ReportColumnField } from '#contract/report-columns.ts'
import type { ColumnSetting } from '#contract/user.ts'

export type ColumnLayout = {
  readonly order: readonly ReportColumnField[]
  /** Fields that are not shown; every other field is. */
  readonly hidden: ReadonlySet<ReportColumnField>
}

/**
 * The stored column settings merged with the defaults by field, keeping the user's show/hide choice and order
 * (specification section 4). Settings of fields that no longer exist are dropped; a field that the settings do not know
 * stands at its default position, shown. Settings that would hide everything are not followed: a table without columns
 * shows nothing to undo it with.
 */
export function mergeColumns(settings: readonly ColumnSetting[]): ColumnLayout {
  const stored = new Map(settings.map((setting) => [setting.field, setting]))
  const positioned = REPORT_COLUMNS.map(({ field }, index) => ({
    field,
    position: stored.get(field)?.currentPosition ?? index,
    shown: stored.get(field)?.showHideColumn ?? true,
  }))
  // Array.prototype.sort is stable, so equal positions keep the default order.
  const order = [...positioned].sort((a, b) => a.position - b.position).map(({ field }) => field)
  const hidden = positioned.filter(({ shown }) => !shown).map(({ field }) => field)
  return { order, hidden: new Set(hidden.length === REPORT_COLUMNS.length ? [] : hidden) }
}
