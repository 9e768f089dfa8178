import { z } from 'zod/mini'
import {
  DEFAULT_REPORT_COLUMN_ORDER,
  findReportColumn,
  OPTIONAL_REPORT_COLUMNS,
  type ReportColumnField,
} from './report-columns.ts'

export const COLUMN_WIDTH_LIMITS_PX = { min: 72, max: 800 } as const

/**
 * One column of a user's report (specification section 3). `width` (CSS pixels) and `isPinned` are absent when the
 * column uses the default.
 */
export const columnSettingSchema = z.object({
  id: z.string(),
  field: z.string(),
  title: z.string(),
  showHideColumn: z.boolean(),
  currentPosition: z.number(),
  defaultPosition: z.number(),
  width: z.optional(z.number()),
  isPinned: z.optional(z.boolean()),
})
export type ColumnSetting = z.output<typeof columnSettingSchema>

export type ColumnLayout = {
  readonly order: readonly ReportColumnField[]
  readonly hidden: ReadonlySet<ReportColumnField>
  readonly pinned: ReadonlySet<ReportColumnField>
  readonly widths: ReadonlyMap<ReportColumnField, number>
}

const DEFAULT_PINNED_COLUMNS: readonly ReportColumnField[] = ['change_status', 'name']

/**
 * Merges stored column settings with the defaults by field, preserving visibility and order (specification section 4).
 * Drops settings of removed fields; a field without a setting is at its default position, visible unless it is
 * optional. If the settings hide every column, the defaults apply, because an empty table offers no way to undo it.
 */
export function mergeColumnSettings(settings: readonly ColumnSetting[]): ColumnLayout {
  const stored = new Map(settings.map((setting) => [setting.field, setting]))
  const columns = DEFAULT_REPORT_COLUMN_ORDER.map((field, index) => {
    const setting = stored.get(field)
    return {
      field,
      position: setting?.currentPosition ?? index,
      shown: setting?.showHideColumn ?? !OPTIONAL_REPORT_COLUMNS.includes(field),
      pinned: setting?.isPinned ?? DEFAULT_PINNED_COLUMNS.includes(field),
      width: setting?.width,
    }
  })
  const order = [...columns].sort((a, b) => a.position - b.position).map(({ field }) => field)
  const hidden = columns.filter(({ shown: isShown }) => !isShown).map(({ field }) => field)
  return {
    order,
    hidden: new Set(hidden.length === DEFAULT_REPORT_COLUMN_ORDER.length ? OPTIONAL_REPORT_COLUMNS : hidden),
    pinned: new Set(columns.filter(({ pinned }) => pinned).map(({ field }) => field)),
    widths: new Map(columns.flatMap(({ field, width }) => (width === undefined ? [] : [[field, width] as const]))),
  }
}

export function toColumnSettings({ order, hidden, pinned, widths }: ColumnLayout): ColumnSetting[] {
  return order.map((field, currentPosition) => {
    const width = widths.get(field)
    const isPinned = pinned.has(field)
    return {
      id: field,
      field,
      title: findReportColumn(field)?.title ?? field,
      showHideColumn: !hidden.has(field),
      currentPosition,
      defaultPosition: DEFAULT_REPORT_COLUMN_ORDER.indexOf(field),
      ...(width === undefined ? {} : { width }),
      ...(isPinned === DEFAULT_PINNED_COLUMNS.includes(field) ? {} : { isPinned }),
    }
  })
}
