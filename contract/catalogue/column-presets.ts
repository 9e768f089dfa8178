import { type ColumnLayout, type ColumnSetting, mergeColumnSettings, toColumnSettings } from './column.ts'
import { DEFAULT_REPORT_COLUMN_ORDER, OPTIONAL_REPORT_COLUMNS, type ReportColumnField } from './report-columns.ts'

type Preset = {
  readonly code: 'triage' | 'price' | 'winner' | 'team' | 'all'
  readonly th: string
  /** Visible columns in order. The other columns follow in default order and are hidden. */
  readonly fields: readonly ReportColumnField[]
}

export const REPORT_COLUMN_PRESETS: readonly Preset[] = [
  {
    code: 'triage',
    th: 'คัดงาน',
    fields: [
      'change_status',
      'name',
      'submission_end_date',
      'movement',
      'dept_sub_name',
      'budget',
      'estimate_budget',
      'method',
      'attachments',
    ],
  },
  {
    code: 'price',
    th: 'ราคา',
    fields: [
      'change_status',
      'name',
      'submission_end_date',
      'budget',
      'estimate_budget',
      'winner_budget',
      'criteria',
      'method',
    ],
  },
  {
    code: 'winner',
    th: 'ผู้ชนะ',
    fields: [
      'change_status',
      'name',
      'movement',
      'winner_name',
      'winner_budget',
      'estimate_budget',
      'winner_announce_date',
      'dept_sub_name',
    ],
  },
  {
    code: 'team',
    th: 'ทีม',
    fields: [
      'change_status',
      'name',
      'pursuit_stage',
      'pursuit_owner',
      'pursuit_notes',
      'submission_end_date',
      'budget',
      'estimate_budget',
      'dept_sub_name',
    ],
  },
  {
    code: 'all',
    th: 'ทั้งหมด',
    fields: DEFAULT_REPORT_COLUMN_ORDER.filter((field) => !OPTIONAL_REPORT_COLUMNS.includes(field)),
  },
]

export function getPresetColumnLayout(code: Preset['code']): ColumnLayout {
  const { fields } = REPORT_COLUMN_PRESETS.find((preset) => preset.code === code)!
  const otherFields = DEFAULT_REPORT_COLUMN_ORDER.filter((field) => !fields.includes(field))
  return { ...mergeColumnSettings([]), order: [...fields, ...otherFields], hidden: new Set(otherFields) }
}

export const NEW_ACCOUNT_REPORT_COLUMNS: readonly ColumnSetting[] = toColumnSettings(getPresetColumnLayout('triage'))
