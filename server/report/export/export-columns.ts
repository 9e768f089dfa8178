import { formatDataIssue } from '#contract/catalogue/data-issue.ts'
import {
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  PROJECT_CHANGE_STATUSES,
  PROJECT_CRITERIA,
  PROJECT_MOVEMENTS,
  PROJECT_STATUSES,
} from '#contract/catalogue/project.ts'
import { REPORT_COLUMNS, type ReportColumnField, type ReportColumnKind } from '#contract/catalogue/report-columns.ts'
import { getEgpHref } from '#contract/report/egp-href.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import type { SheetColumn, SheetColumnKind, SheetValue } from '#server/platform/workbook/sheet-xml.ts'
import type { RequestedExport } from './queries.ts'

/**
 * Formats the files of a project, one per line. Adds the project's e-GP page unless a file already links to it, so that
 * every row links to its source.
 */
function filesText(row: ReportRow): string {
  const egp = getEgpHref(row)
  const { attachments = [] } = row
  const files = attachments.map(({ name, url }) => `${name} ${url}`)
  const isListed = attachments.some(({ url }) => toSafeHref(url) === egp)
  return [...files, ...(egp === undefined || isListed ? [] : [`เปิดในระบบ e-GP ${egp}`])].join('\n')
}

/** Formats the winners, for example `บริษัท ก จำกัด และอีก 2 ราย: บริษัท ข จำกัด, บริษัท ค จำกัด`. */
function winnersCell({
  winner_name: first,
  winner_count: count,
  other_winners: otherWinners = [],
}: ReportRow): string | null {
  if (first === null || count <= 1) return first
  return `${first} และอีก ${count - 1} ราย${otherWinners.length > 0 ? `: ${otherWinners.join(', ')}` : ''}`
}

const remarkText = ({ remark, doubts = [] }: ReportRow): string | null =>
  remark === null && doubts.length === 0 ? null : [remark, ...doubts.map(formatDataIssue)].filter(Boolean).join('\n')

const VALUES = {
  change_status: (row) => getChoiceLabel(PROJECT_CHANGE_STATUSES, row.change_status),
  project_id: (row) => row.project_id,
  name: (row) => row.name,
  dept_sub_name: (row) => row.dept_sub_name,
  dept_region: (row) => row.dept_region,
  dept_province: (row) => row.dept_province,
  project_region: (row) => row.project_region,
  project_province: (row) => row.project_province,
  budget: (row) => row.budget,
  estimate_budget: (row) => row.estimate_budget,
  criteria: (row) => (row.criteria === 'no_data' ? null : getChoiceLabel(PROJECT_CRITERIA, row.criteria)),
  movement: (row) => getChoiceLabel(PROJECT_MOVEMENTS, row.movement),
  draft_published_date: (row) => row.draft_published_date,
  draft_discussion_end_date: (row) => row.draft_discussion_end_date,
  bidding_invite_date: (row) => row.bidding_invite_date,
  submission_end_date: (row) => row.submission_end_date,
  submission_time: (row) => row.submission_time && `${row.submission_time} น.`,
  status: (row) => getChoiceLabel(PROJECT_STATUSES, row.status),
  winner_name: winnersCell,
  winner_budget: (row) => row.winner_budget,
  method: (row) => getChoiceLabel(PROCUREMENT_METHODS, row.method),
  method_type: (row) => getChoiceLabel(PROCUREMENT_METHOD_TYPES, row.method_type),
  remark: remarkText,
  winner_announce_date: (row) => row.winner_announce_date,
  // Write the URLs as plain text, because Excel allows 65,530 links per sheet and one per cell.
  attachments: filesText,
  pursuit_stage: (row) => row.pursuit?.stage_name ?? null,
  pursuit_owner: (row) => row.pursuit?.owner_name ?? null,
  pursuit_notes: (row) => row.pursuit?.notes || null,
} satisfies Record<ReportColumnField, (row: ReportRow) => SheetValue>

const KINDS: Readonly<Record<ReportColumnKind, SheetColumnKind>> = {
  badge: 'text',
  id: 'code',
  text: 'text',
  choice: 'text',
  money: 'money',
  date: 'date',
  time: 'code',
  files: 'text',
  stage: 'text',
  count: 'count',
}

/** Converts pixels to Excel's unit of column width, the width of a digit in the default font. */
const digits = (pixels: number) => Math.round((pixels - 5) / 7)
const WIDE_COLUMNS: Partial<Record<ReportColumnField, number>> = { name: 70, attachments: 40 }

type LabelsByProject = RequestedExport['labelled']

export function buildExportColumns(fields: readonly ReportColumnField[], labelled: LabelsByProject): SheetColumn[] {
  const columns = fields.map((field): SheetColumn => {
    const { title, kind, width } = REPORT_COLUMNS.find((column) => column.field === field)!
    return { title, kind: KINDS[kind], width: WIDE_COLUMNS[field] ?? digits(width) }
  })
  return hasLabels(labelled) ? [...columns, { title: 'ป้าย', kind: 'text', width: 30 }] : columns
}

export function buildExportRow(
  row: ReportRow,
  fields: readonly ReportColumnField[],
  labelled: LabelsByProject,
): SheetValue[] {
  const values = fields.map((field): SheetValue => VALUES[field](row))
  if (!hasLabels(labelled)) return values
  const labels = labelled.get(row.project_id)
  const names = labels ? [...labels.own, ...labels.team.map((name) => `ทีม: ${name}`)] : []
  return [...values, names.length === 0 ? null : names.join(', ')]
}

const hasLabels = (labelled: LabelsByProject) => labelled.size > 0
