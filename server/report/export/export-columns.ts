import { formatDataIssue } from '#contract/catalogue/data-issue.ts'
import { getChoiceLabel, PROJECT_CHANGE_STATUSES } from '#contract/catalogue/project.ts'
import { getProjectFact, type ReportFactName } from '#contract/catalogue/project-facts.ts'
import {
  findReportColumn,
  type NonFactReportColumnField,
  REPORT_COLUMNS,
  type ReportColumnField,
  type ReportColumnKind,
} from '#contract/catalogue/report-columns.ts'
import { getEgpProjectHref } from '#contract/report/egp-href.ts'
import { listMatchedWatchWords, type ReportRow } from '#contract/report/report.ts'
import { toSafeHref } from '#contract/safe-href.ts'
import type { SheetColumn, SheetColumnKind, SheetValue } from '#server/platform/workbook/sheet-xml.ts'
import type { RequestedExport } from './queries.ts'

/**
 * Formats the files of a project, one per line. Adds the project's e-GP page unless a file already links to it, so that
 * every row links to its source.
 */
function filesText(row: ReportRow): string {
  const egp = getEgpProjectHref(row)
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

type CellFn = (row: ReportRow) => SheetValue

const remarkText = ({ remark, doubts = [] }: ReportRow): string | null =>
  remark === null && doubts.length === 0 ? null : [remark, ...doubts.map(formatDataIssue)].filter(Boolean).join('\n')

const CELLS: Readonly<Partial<Record<ReportFactName, CellFn>> & Record<NonFactReportColumnField, CellFn>> = {
  change_status: (row) => getChoiceLabel(PROJECT_CHANGE_STATUSES, row.change_status),
  project_id: (row) => row.project_id,
  winner_name: winnersCell,
  remark: remarkText,
  // Write the URLs as plain text, because Excel allows 65,530 links per sheet and one per cell.
  attachments: filesText,
  pursuit_stage: (row) => row.pursuit?.stage_name ?? null,
  pursuit_owner: (row) => row.pursuit?.owner_name ?? null,
  pursuit_notes: (row) => row.pursuit?.notes || null,
  match_reasons: (row) => listMatchedWatchWords(row).join(', ') || null,
}

function factCell(name: ReportFactName): CellFn {
  const fact = getProjectFact(name)
  if (fact.type === 'enumeration')
    return ({ [name]: code }) => (code === fact.unknown ? null : getChoiceLabel(fact.choices, String(code)))
  if (fact.type === 'time') return ({ [name]: time }) => (time === null ? null : `${time} น.`)
  if (fact.type === 'flag') return ({ [name]: isSet }) => (isSet ? fact.th : null)
  return (row) => row[name] as SheetValue
}

const VALUES = new Map(REPORT_COLUMNS.map(({ field }) => [field, CELLS[field] ?? factCell(field as ReportFactName)]))

const KINDS: Readonly<Record<ReportColumnKind, SheetColumnKind>> = {
  badge: 'text',
  id: 'code',
  text: 'text',
  enumeration: 'text',
  money: 'money',
  day: 'date',
  time: 'code',
  province: 'text',
  region: 'text',
  number: 'count',
  flag: 'text',
  coordinate: 'text',
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
    const { title, kind, width } = findReportColumn(field)!
    return { title, kind: KINDS[kind], width: WIDE_COLUMNS[field] ?? digits(width) }
  })
  return hasLabels(labelled) ? [...columns, { title: 'ป้าย', kind: 'text', width: 30 }] : columns
}

export function buildExportRow(
  row: ReportRow,
  fields: readonly ReportColumnField[],
  labelled: LabelsByProject,
): SheetValue[] {
  const values = fields.map((field): SheetValue => VALUES.get(field)!(row))
  if (!hasLabels(labelled)) return values
  const labels = labelled.get(row.project_id)
  const names = labels ? [...labels.own, ...labels.team.map((name) => `ทีม: ${name}`)] : []
  return [...values, names.length === 0 ? null : names.join(', ')]
}

const hasLabels = (labelled: LabelsByProject) => labelled.size > 0
