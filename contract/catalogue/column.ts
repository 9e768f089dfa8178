import { z } from 'zod/mini'
import { DEFAULT_COLUMN_ORDER, REPORT_COLUMNS, type ReportColumnField, TEAM_COLUMNS } from './report-columns.ts'

/** Narrowest and widest a user may make a column, CSS pixels. */
export const COLUMN_WIDTH = { min: 72, max: 800 } as const

/** One column of a user's report (specification section 3). `width` in CSS pixels and `isPinned` are absent where the default holds. */
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
  /** Fields that are not shown; every other field is. */
  readonly hidden: ReadonlySet<ReportColumnField>
  /** Fields that stay in sight while the others scroll. */
  readonly pinned: ReadonlySet<ReportColumnField>
  /** CSS pixels that the user chose; absent where the catalogue's width holds. */
  readonly widths: ReadonlyMap<ReportColumnField, number>
}

/** Pinned until the user says otherwise: what is new, and what it is called. */
export const DEFAULT_PINNED: readonly ReportColumnField[] = ['change_status', 'name']

/**
 * The stored column settings merged with the defaults by field, keeping the user's show/hide choice and order
 * (specification section 4). Settings of fields that no longer exist are dropped; a field that the settings do not know
 * stands at its default position, shown unless it is of the team's work. Settings that would hide everything are not followed: a table without columns
 * shows nothing to undo it with.
 */
export function mergeColumns(settings: readonly ColumnSetting[]): ColumnLayout {
  const stored = new Map(settings.map((setting) => [setting.field, setting]))
  const columns = DEFAULT_COLUMN_ORDER.map((field, index) => {
    const setting = stored.get(field)
    return {
      field,
      position: setting?.currentPosition ?? index,
      shown: setting?.showHideColumn ?? !TEAM_COLUMNS.includes(field),
      pinned: setting?.isPinned ?? DEFAULT_PINNED.includes(field),
      width: setting?.width,
    }
  })
  // Array.prototype.sort is stable, so equal positions keep the default order.
  const order = [...columns].sort((a, b) => a.position - b.position).map(({ field }) => field)
  const hidden = columns.filter(({ shown }) => !shown).map(({ field }) => field)
  return {
    order,
    hidden: new Set(hidden.length === DEFAULT_COLUMN_ORDER.length ? TEAM_COLUMNS : hidden),
    pinned: new Set(columns.filter(({ pinned }) => pinned).map(({ field }) => field)),
    widths: new Map(columns.flatMap(({ field, width }) => (width === undefined ? [] : [[field, width] as const]))),
  }
}

/** The settings to store for a layout: all columns, `mergeColumns` of which is the layout again. */
export function columnSettingsOf({ order, hidden, pinned, widths }: ColumnLayout): ColumnSetting[] {
  return order.map((field, currentPosition) => {
    const width = widths.get(field)
    const isPinned = pinned.has(field)
    return {
      id: field,
      field,
      title: REPORT_COLUMNS.find((column) => column.field === field)?.title ?? field,
      showHideColumn: !hidden.has(field),
      currentPosition,
      defaultPosition: DEFAULT_COLUMN_ORDER.indexOf(field),
      ...(width === undefined ? {} : { width }),
      ...(isPinned === DEFAULT_PINNED.includes(field) ? {} : { isPinned }),
    }
  })
}
