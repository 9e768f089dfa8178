/**
 * The report's 25 columns (specification section 3) and three team columns: the single catalogue for the table, column
 * settings, sorting and export. `field` is a property of a report row, for team columns a part of its pursuit. `sort`
 * is the `ordering` value: seven fields of the specification, two of the team.
 */
export type ReportColumnKind =
  | 'badge'
  | 'id'
  | 'text'
  | 'choice'
  | 'money'
  | 'date'
  | 'time'
  | 'files'
  | 'stage'
  | 'count'

type Column = {
  readonly field: string
  readonly title: string
  readonly short?: string
  readonly kind: ReportColumnKind
  readonly sort?: string
  readonly width: number
}

export const REPORT_COLUMNS = [
  { field: 'change_status', title: 'การเปลี่ยนแปลง', short: 'สถานะ', kind: 'badge', width: 76 },
  { field: 'project_id', title: 'เลขที่โครงการ', kind: 'id', width: 132 },
  { field: 'name', title: 'ชื่อโครงการ', kind: 'text', width: 420 },
  { field: 'dept_sub_name', title: 'หน่วยงาน', kind: 'text', width: 146 },
  { field: 'dept_region', title: 'ภาคของหน่วยงาน', kind: 'choice', width: 150 },
  { field: 'dept_province', title: 'จังหวัดของหน่วยงาน', kind: 'choice', width: 150 },
  { field: 'project_region', title: 'ภาคของโครงการ', kind: 'choice', width: 150 },
  { field: 'project_province', title: 'จังหวัดของโครงการ', kind: 'choice', width: 150 },
  { field: 'budget', title: 'งบประมาณ', kind: 'money', sort: 'project_budget', width: 118 },
  { field: 'estimate_budget', title: 'ราคากลาง', kind: 'money', sort: 'project_estimate_budget', width: 114 },
  { field: 'criteria', title: 'เกณฑ์การพิจารณา', kind: 'choice', width: 190 },
  { field: 'movement', title: 'ความเคลื่อนไหว', kind: 'choice', width: 110 },
  { field: 'draft_published_date', title: 'วันประกาศร่าง', kind: 'date', sort: 'draft_published_date', width: 132 },
  {
    field: 'draft_discussion_end_date',
    title: 'สิ้นสุดวิจารณ์ร่าง',
    kind: 'date',
    sort: 'draft_discussion_end_date',
    width: 144,
  },
  { field: 'bidding_invite_date', title: 'วันประกาศเชิญชวน', kind: 'date', sort: 'bidding_invite_date', width: 160 },
  {
    field: 'submission_end_date',
    title: 'วันสิ้นสุดยื่นข้อเสนอ',
    short: 'สิ้นสุดยื่น',
    kind: 'date',
    sort: 'submission_end_date',
    width: 106,
  },
  { field: 'submission_time', title: 'เวลายื่นข้อเสนอ', kind: 'time', width: 130 },
  { field: 'status', title: 'สถานะโครงการ', kind: 'choice', width: 168 },
  { field: 'winner_name', title: 'ผู้ชนะ', kind: 'text', width: 240 },
  { field: 'winner_budget', title: 'ราคาที่ชนะ', kind: 'money', sort: 'project_winner_budget', width: 148 },
  { field: 'method', title: 'วิธีจัดหา', kind: 'choice', width: 84 },
  { field: 'method_type', title: 'ประเภทการจัดหา', kind: 'choice', width: 190 },
  { field: 'remark', title: 'หมายเหตุ', kind: 'text', width: 200 },
  { field: 'winner_announce_date', title: 'วันประกาศผู้ชนะ', kind: 'date', width: 140 },
  { field: 'attachments', title: 'เอกสารแนบ', short: 'เอกสาร', kind: 'files', width: 72 },
  { field: 'pursuit_stage', title: 'ขั้นของงาน', kind: 'stage', sort: 'pursuit_stage', width: 118 },
  { field: 'pursuit_owner', title: 'ผู้ดูแล', kind: 'text', width: 150 },
  { field: 'pursuit_notes', title: 'โน้ตของทีม', short: 'โน้ต', kind: 'count', sort: 'pursuit_notes', width: 76 },
] as const satisfies readonly Column[]

type ReportColumn = (typeof REPORT_COLUMNS)[number]
export type ReportColumnField = ReportColumn['field']

/**
 * Team columns are hidden by default. Resetting the table shows the specification's 25 columns and hides the team
 * columns.
 */
export const REPORT_TEAM_COLUMNS: readonly ReportColumnField[] = ['pursuit_stage', 'pursuit_owner', 'pursuit_notes']

/**
 * Default column order. Columns that decide about a project (agency, price, deadline, progress) are first, so that they
 * are visible without horizontal scrolling. Contains every field exactly once (tested).
 */
export const DEFAULT_REPORT_COLUMN_ORDER: readonly ReportColumnField[] = [
  'change_status',
  'name',
  'dept_sub_name',
  'budget',
  'estimate_budget',
  'submission_end_date',
  'movement',
  'method',
  'project_province',
  'draft_discussion_end_date',
  'status',
  'submission_time',
  'draft_published_date',
  'bidding_invite_date',
  'winner_name',
  'winner_budget',
  'winner_announce_date',
  'method_type',
  'criteria',
  'project_id',
  'project_region',
  'dept_province',
  'dept_region',
  'remark',
  'attachments',
  ...REPORT_TEAM_COLUMNS,
]
export type ReportSortField = Extract<ReportColumn, { sort: string }>['sort']

const hasSort = (column: ReportColumn): column is Extract<ReportColumn, { sort: string }> => 'sort' in column

export const REPORT_SORT_FIELDS: readonly ReportSortField[] = REPORT_COLUMNS.filter(hasSort).map(
  (column) => column.sort,
)
