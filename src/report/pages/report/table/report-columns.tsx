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
import { isReportFact, type ReportFactName } from '#contract/catalogue/project-facts.ts'
import {
  type NonFactReportColumnField,
  REPORT_COLUMNS,
  type ReportColumnField,
  type ReportSortField,
} from '#contract/catalogue/report-columns.ts'
import { listMatchedWatchWords, type ReportRow } from '#contract/report/report.ts'
import { HideProjectButton } from '#src/report/hidden-projects/hide-project-button.tsx'
import { LabelButton } from '#src/report/labels/label-panel.tsx'
import { ProjectChangeStatusBadge, ProjectStatusBadge } from '#src/report/project-row/change-status-badge.tsx'
import { RowDeadline } from '#src/report/project-row/deadline-text.tsx'
import { FactText, FromDocumentBadge } from '#src/report/project-row/fact-text.tsx'
import { listMatchReasonTexts } from '#src/report/project-row/match-reasons.tsx'
import { BudgetMoneyText, EstimateMoneyText, WinnerMoneyText } from '#src/report/project-row/money-texts.tsx'
import { ProjectMovementStatus } from '#src/report/project-row/movement-chip.tsx'
import { ProjectFilesButton } from '#src/report/project-row/project-file-list.tsx'
import { ProjectNameCell } from '#src/report/project-row/project-name-cell.tsx'
import { useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { NoteCount, PursuitOwner } from '#src/report/project-row/pursuit-summary.tsx'
import { WinnerNames } from '#src/report/project-row/winner-names.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'

type Cell = (row: ReportRow) => ReactNode

const text = (value: string | null) => (value === null || value === '' ? <UnknownValue /> : value)
const CELLS: Readonly<Partial<Record<ReportFactName, Cell>> & Record<NonFactReportColumnField, Cell>> = {
  change_status: (row) => <ProjectChangeStatusBadge row={row} variant="dot" />,
  project_id: (row) => <ProjectId id={row.project_id} />,
  name: (row) => (
    <ProjectNameCell row={row}>
      <LabelButton projectIds={[row.project_id]} name={row.name} />
      <Hide row={row} />
    </ProjectNameCell>
  ),
  dept_sub_name: (row) => <Department row={row} />,
  budget: (row) => <BudgetMoneyText row={row} />,
  estimate_budget: (row) => <EstimateMoneyText row={row} />,
  movement: (row) => <ProjectMovementStatus movement={row.movement} />,
  draft_discussion_end_date: (row) => <RowDeadline day={row.draft_discussion_end_date} row={row} />,
  submission_end_date: (row) => <RowDeadline day={row.submission_end_date} time={row.submission_time} row={row} />,
  status: (row) => <ProjectStatusBadge status={row.status} />,
  winner_name: (row) => (row.winner_name ? <WinnerNames row={row} isClamped /> : <UnknownValue />),
  winner_budget: (row) => <WinnerMoneyText row={row} />,
  attachments: (row) => <ProjectFilesButton row={row} />,
  pursuit_stage: (row) => text(row.pursuit?.stage_name ?? null),
  pursuit_owner: (row) => <PursuitOwner pursuit={row.pursuit} />,
  pursuit_notes: (row) => (row.pursuit?.notes ? <NoteCount count={row.pursuit.notes} /> : <UnknownValue />),
  match_reasons: (row) => (
    <span className="line-clamp-2" title={listMatchReasonTexts(row).join('\n')}>
      {text(listMatchedWatchWords(row).join(', '))}
    </span>
  ),
}

function getCell(field: ReportColumnField): Cell {
  if (!isReportFact(field)) return CELLS[field]
  const cell = CELLS[field] ?? ((row) => <FactText name={field} row={row} isClamped />)
  return (row) =>
    row.from_documents ? (
      <>
        {cell(row)}
        <FromDocumentBadge row={row} field={field} />
      </>
    ) : (
      cell(row)
    )
}

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
      <span className="line-clamp-2" title={row.dept_sub_name}>
        <HighlightedText text={row.dept_sub_name} words={deptWords} />
      </span>
      {row.dept_province && <span className="block text-xs text-ink-faint">{row.dept_province}</span>}
    </>
  )
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

/** Fields that the first click sorts ascending: deadlines nearest first, stages in board order. */
const FIRST_ASCENDING: readonly ReportSortField[] = [
  'draft_discussion_end_date',
  'submission_end_date',
  'pursuit_stage',
]

export const reportTableColumns = helper.columns(
  REPORT_COLUMNS.map((column) => {
    const cell = getCell(column.field)
    const { sort } = column
    return helper.accessor((row: ReportRow) => (row as Record<string, unknown>)[column.field], {
      id: column.field,
      header: column.short ?? column.title,
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

/** Column widths, px, that differ from the catalogue's unless the user resized the column. */
const WINDOW_WIDTHS: Readonly<Record<'tight' | 'roomy', Readonly<Record<string, number>>>> = {
  // Narrow enough that the columns for triage fit a window of 1,440 px.
  tight: { name: 240 },
  // Wide enough that agencies, companies and stages fit in full.
  roomy: { submission_end_date: 132, movement: 150, dept_sub_name: 250, method: 120, winner_name: 300 },
}

export const buildReportTableColumns = (windowSize: keyof typeof WINDOW_WIDTHS) =>
  reportTableColumns.map((column) => {
    const size = WINDOW_WIDTHS[windowSize][column.id ?? '']
    return size === undefined ? column : { ...column, size }
  })

const FIELD_OF_SORT = new Map<string, ReportColumnField>(
  REPORT_COLUMNS.flatMap(({ sort, field }) => (sort ? [[sort, field] as const] : [])),
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
