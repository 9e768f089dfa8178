import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  type Table,
  tableFeatures,
} from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { COLUMN_WIDTH_LIMITS_PX } from '#contract/catalogue/column.ts'
import {
  getChoiceLabel,
  PROCUREMENT_METHOD_TYPES,
  PROCUREMENT_METHODS,
  PROJECT_CRITERIA,
} from '#contract/catalogue/project.ts'
import { REPORT_COLUMNS, type ReportColumnField, type ReportSortField } from '#contract/catalogue/report-columns.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatThaiDayOrOriginal } from '#contract/thai/thai-date.ts'
import { HideProjectButton } from '#src/report/hidden-projects/hide-project-button.tsx'
import { LabelButton } from '#src/report/labels/label-button.tsx'
import { ProjectChangeStatusBadge } from '#src/report/project-row/change-status-badge.tsx'
import { DeadlineText } from '#src/report/project-row/deadline-text.tsx'
import { FromDocumentBadge } from '#src/report/project-row/from-document-badge.tsx'
import { BudgetMoneyText, EstimateMoneyText, WinnerMoneyText } from '#src/report/project-row/money-texts.tsx'
import { ProjectMovementStatus } from '#src/report/project-row/movement-chip.tsx'
import { ProjectAttachments } from '#src/report/project-row/project-attachments.tsx'
import { ProjectNameCell } from '#src/report/project-row/project-name-cell.tsx'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { ProjectStatusBadge } from '#src/report/project-row/project-status-badge.tsx'
import { NoteCount, PursuitOwner } from '#src/report/project-row/pursuit-summary.tsx'
import { WinnerNames } from '#src/report/project-row/winner-names.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'

type Cell = (row: ReportRow) => ReactNode

const text = (value: string | null) => (value === null || value === '' ? <EmptyValue /> : value)
const day = (iso: string | null) =>
  iso === null ? <EmptyValue /> : <span className="whitespace-nowrap">{formatThaiDayOrOriginal(iso)}</span>
const clamped = (value: ReactNode, title: string) => (
  <span className="line-clamp-2" title={title}>
    {value}
  </span>
)

/** Cell renderers by column, typed so that a missing column is a compile error. */
const CELLS = {
  change_status: (row) => <ProjectChangeStatusBadge row={row} variant="dot" />,
  project_id: (row) => <ProjectId id={row.project_id} />,
  name: (row) => (
    <ProjectNameCell row={row}>
      <LabelButton projectIds={[row.project_id]} name={row.name} />
      <Hide row={row} />
    </ProjectNameCell>
  ),
  dept_sub_name: (row) => <Department row={row} />,
  dept_region: (row) => text(row.dept_region),
  dept_province: (row) => text(row.dept_province),
  project_region: (row) => text(row.project_region),
  project_province: (row) => text(row.project_province),
  budget: (row) => (
    <>
      <BudgetMoneyText row={row} />
      <FromDocumentBadge row={row} field="budget" />
    </>
  ),
  estimate_budget: (row) => (
    <>
      <EstimateMoneyText row={row} />
      <FromDocumentBadge row={row} field="estimate_budget" />
    </>
  ),
  criteria: (row) => (row.criteria === 'no_data' ? <EmptyValue /> : getChoiceLabel(PROJECT_CRITERIA, row.criteria)),
  movement: (row) => <ProjectMovementStatus movement={row.movement} />,
  draft_published_date: (row) => day(row.draft_published_date),
  draft_discussion_end_date: (row) => (
    <>
      <DeadlineDay day={row.draft_discussion_end_date} row={row} />
      <FromDocumentBadge row={row} field="draft_discussion_end_date" />
    </>
  ),
  bidding_invite_date: (row) => day(row.bidding_invite_date),
  submission_end_date: (row) => (
    <>
      <DeadlineDay day={row.submission_end_date} time={row.submission_time} row={row} />
      <FromDocumentBadge row={row} field="submission_end_date" />
    </>
  ),
  submission_time: (row) => text(row.submission_time && `${row.submission_time} น.`),
  status: (row) => <ProjectStatusBadge status={row.status} />,
  winner_name: (row) => <Winner row={row} />,
  winner_budget: (row) => <WinnerMoneyText row={row} />,
  method: (row) => getChoiceLabel(PROCUREMENT_METHODS, row.method),
  method_type: (row) => getChoiceLabel(PROCUREMENT_METHOD_TYPES, row.method_type),
  remark: (row) => (row.remark ? clamped(row.remark, row.remark) : <EmptyValue />),
  winner_announce_date: (row) => day(row.winner_announce_date),
  attachments: (row) => <ProjectAttachments row={row} />,
  pursuit_stage: (row) => text(row.pursuit?.stage_name ?? null),
  pursuit_owner: (row) => <PursuitOwner pursuit={row.pursuit} />,
  pursuit_notes: (row) => (row.pursuit?.notes ? <NoteCount count={row.pursuit.notes} /> : <EmptyValue />),
} satisfies Record<ReportColumnField, Cell>

function Hide({ row }: { row: ReportRow }) {
  const { showsHidden } = useProjectRowDisplayData()
  return (
    <HideProjectButton
      projectId={row.project_id}
      name={row.name}
      isHidden={showsHidden}
      className="-my-1 touch:-my-2.5"
      iconClassName="size-3.5"
    />
  )
}

function Department({ row }: { row: ReportRow }) {
  const { deptWords } = useProjectRowDisplayData()
  return (
    <>
      {clamped(<HighlightedText text={row.dept_sub_name} words={deptWords} />, row.dept_sub_name)}
      {row.dept_province && <span className="block text-xs text-ink-faint">{row.dept_province}</span>}
    </>
  )
}

function DeadlineDay({
  day: iso,
  time,
  row,
}: {
  day: string | null
  time?: string | null | undefined
  row: ReportRow
}) {
  const { today } = useProjectRowDisplayData()
  return (
    <DeadlineText day={iso} today={today} time={time} isCounting={!row.is_archived && row.status === 'in_progress'} />
  )
}

function Winner({ row }: { row: ReportRow }) {
  return row.winner_name ? <WinnerNames row={row} isClamped /> : <EmptyValue />
}

type ColumnMeta = {
  readonly title: string
  readonly alignEnd: boolean
  readonly firstOrder: 'asc' | 'desc' | undefined
}

/** The sorted column; empty means the server's default order. */
export type ReportSorting = readonly { readonly id: string; readonly desc: boolean }[]

// The server filters, sorts and pages, so no row model is registered. The row order comes from the URL.
export const reportTableFeatures = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
})

export type ReportTableInstance = Table<typeof reportTableFeatures, ReportRow>

const helper = createColumnHelper<typeof reportTableFeatures, ReportRow>()

type ColumnDefinition = (typeof REPORT_COLUMNS)[number]
const sortOf = (column: ColumnDefinition): ReportSortField | undefined => ('sort' in column ? column.sort : undefined)
/**
 * Fields that the first click sorts ascending: deadlines nearest first, stages in board order. Money and notes are
 * sorted descending first, announcement dates newest first.
 */
const FIRST_ASCENDING: readonly ReportSortField[] = [
  'draft_discussion_end_date',
  'submission_end_date',
  'pursuit_stage',
]

export const reportTableColumns = helper.columns(
  REPORT_COLUMNS.map((column) => {
    const cell: Cell = CELLS[column.field]
    const sort = sortOf(column)
    return helper.accessor((row: ReportRow) => (row as Record<string, unknown>)[column.field], {
      id: column.field,
      header: 'short' in column ? column.short : column.title,
      size: column.width,
      minSize: COLUMN_WIDTH_LIMITS_PX.min,
      maxSize: COLUMN_WIDTH_LIMITS_PX.max,
      meta: {
        title: column.title,
        alignEnd: column.kind === 'money' || column.kind === 'count',
        firstOrder: sort && (FIRST_ASCENDING.includes(sort) ? 'asc' : 'desc'),
      },
      cell: ({ row }) => cell(row.original),
    })
  }),
)

/** Column widths on large windows, so that agencies, companies and stages fit in full; px. */
const ROOMY_WIDTHS: Readonly<Record<string, number>> = {
  submission_end_date: 132,
  movement: 150,
  dept_sub_name: 250,
  method: 120,
  winner_name: 300,
}

export const buildReportTableColumns = (size: number, isRoomy: boolean) =>
  reportTableColumns.map((column) => {
    const width = column.id === 'name' ? size : isRoomy ? ROOMY_WIDTHS[column.id ?? ''] : undefined
    return width === undefined ? column : { ...column, size: width }
  })

const FIELD_OF_SORT = new Map<string, ReportColumnField>(
  REPORT_COLUMNS.flatMap((column) => ('sort' in column ? [[column.sort, column.field] as const] : [])),
)
const SORT_OF_FIELD = new Map<string, ReportSortField>(
  [...FIELD_OF_SORT].map(([sort, field]) => [field, sort as ReportSortField]),
)

export function parseReportSorting(ordering: string | undefined): ReportSorting {
  const desc = ordering?.startsWith('-') === true
  const field = ordering && FIELD_OF_SORT.get(desc ? ordering.slice(1) : ordering)
  return field ? [{ id: field, desc }] : []
}

export function formatReportOrdering(sorting: ReportSorting): string | undefined {
  const sorted = sorting[0]
  const sort = sorted && SORT_OF_FIELD.get(sorted.id)
  return sort && `${sorted.desc ? '-' : ''}${sort}`
}

export function getNextReportSorting([current]: ReportSorting, id: string, firstOrder: 'asc' | 'desc'): ReportSorting {
  const firstDesc = firstOrder === 'desc'
  if (current?.id !== id) return [{ id, desc: firstDesc }]
  return current.desc === firstDesc ? [{ id, desc: !firstDesc }] : []
}
