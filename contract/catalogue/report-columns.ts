import { getProjectFact, type ProjectFactType, type ReportFactName } from './project-facts.ts'

export type ReportColumnKind = ProjectFactType | 'badge' | 'id' | 'files' | 'stage' | 'count'

/**
 * Parts of a row besides the facts of the project, which exports read only for a column that shows them. Keys without
 * that scope never contain pursuits.
 */
export type ReportRowPart = 'files' | 'pursuits' | 'reasons'

type ColumnLayout = {
  readonly short?: string
  readonly sort?: string
  readonly width: number
}
type FactColumn = ColumnLayout & { readonly field: ReportFactName }
/** `field` is a property of a report row, for team columns a part of its pursuit. */
type OtherColumn = ColumnLayout & {
  readonly field: string
  readonly title: string
  readonly kind: ReportColumnKind
  readonly isOptional?: true
  readonly part?: ReportRowPart
}

/**
 * The report's 25 columns (specification section 3) and the optional ones: the single catalogue for the table, column
 * settings, sorting and export. A column of a fact takes its title and kind from the fact. Seven sorts are of the
 * specification.
 */
const COLUMNS = [
  { field: 'change_status', title: 'การเปลี่ยนแปลง', short: 'สถานะ', kind: 'badge', width: 76 },
  { field: 'project_id', title: 'เลขที่โครงการ', kind: 'id', width: 132 },
  { field: 'name', width: 420 },
  { field: 'dept_sub_name', width: 146 },
  { field: 'dept_region', width: 150 },
  { field: 'dept_province', width: 150 },
  { field: 'project_region', width: 150 },
  { field: 'project_province', width: 150 },
  { field: 'budget', sort: 'project_budget', width: 118 },
  { field: 'estimate_budget', sort: 'project_estimate_budget', width: 114 },
  { field: 'criteria', width: 190 },
  { field: 'movement', width: 110 },
  { field: 'draft_published_date', sort: 'draft_published_date', width: 132 },
  { field: 'draft_discussion_end_date', sort: 'draft_discussion_end_date', width: 144 },
  { field: 'bidding_invite_date', sort: 'bidding_invite_date', width: 160 },
  { field: 'submission_end_date', short: 'สิ้นสุดยื่น', sort: 'submission_end_date', width: 106 },
  { field: 'submission_time', width: 130 },
  { field: 'status', width: 168 },
  { field: 'winner_name', width: 240 },
  { field: 'winner_budget', sort: 'project_winner_budget', width: 148 },
  { field: 'method', width: 84 },
  { field: 'method_type', width: 190 },
  { field: 'remark', width: 200 },
  { field: 'winner_announce_date', width: 140 },
  { field: 'attachments', title: 'เอกสารแนบ', short: 'เอกสาร', kind: 'files', width: 72, part: 'files' },
  {
    field: 'pursuit_stage',
    title: 'ขั้นของงาน',
    kind: 'stage',
    sort: 'pursuit_stage',
    width: 118,
    isOptional: true,
    part: 'pursuits',
  },
  { field: 'pursuit_owner', title: 'ผู้ดูแล', kind: 'text', width: 150, isOptional: true, part: 'pursuits' },
  {
    field: 'pursuit_notes',
    title: 'โน้ตของทีม',
    short: 'โน้ต',
    kind: 'count',
    sort: 'pursuit_notes',
    width: 76,
    isOptional: true,
    part: 'pursuits',
  },
  {
    field: 'match_reasons',
    title: 'เหตุที่อยู่ในรายการ',
    kind: 'text',
    width: 180,
    isOptional: true,
    part: 'reasons',
  },
] as const satisfies readonly (FactColumn | OtherColumn)[]

type Column = (typeof COLUMNS)[number]
export type ReportColumnField = Column['field']
export type ReportSortField = Extract<Column, { sort: string }>['sort']
export type OtherReportSortField = Extract<Column, { sort: string; kind: string }>['sort']
export type NonFactReportColumnField = Exclude<ReportColumnField, ReportFactName>

type ReportColumn = {
  readonly field: ReportColumnField
  readonly title: string
  readonly kind: ReportColumnKind
  readonly short?: string
  readonly sort?: ReportSortField
  readonly width: number
  readonly isOptional?: true
  readonly part?: ReportRowPart
}

export const REPORT_COLUMNS: readonly ReportColumn[] = COLUMNS.map((column): ReportColumn => {
  if ('kind' in column) return column
  const { th, type } = getProjectFact(column.field)
  return { ...column, title: th, kind: type }
})
const COLUMN_BY_FIELD = new Map<string, ReportColumn>(REPORT_COLUMNS.map((column) => [column.field, column]))
export const findReportColumn = (field: string): ReportColumn | undefined => COLUMN_BY_FIELD.get(field)

export const REPORT_TEAM_COLUMNS = REPORT_COLUMNS.filter(({ part }) => part === 'pursuits').map(({ field }) => field)
/** Resetting the table shows the specification's 25 columns and hides these. */
export const OPTIONAL_REPORT_COLUMNS = REPORT_COLUMNS.filter(({ isOptional }) => isOptional).map(({ field }) => field)

/**
 * Columns in the order of the table. Columns that decide about a project (agency, price, deadline, progress) are first,
 * so that they are visible without horizontal scrolling. Columns that are not listed follow.
 */
const FIRST_COLUMNS: readonly ReportColumnField[] = [
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
]
export const DEFAULT_REPORT_COLUMN_ORDER: readonly ReportColumnField[] = [
  ...new Set([...FIRST_COLUMNS, ...REPORT_COLUMNS.map(({ field }) => field)]),
]

export const REPORT_SORT_FIELDS: readonly ReportSortField[] = REPORT_COLUMNS.flatMap(({ sort }) => sort ?? [])
