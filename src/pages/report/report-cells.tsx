import type { ReactNode } from 'react'
import { labelOf, PROJECT_CRITERIA, PROJECT_METHOD_TYPES, PROJECT_METHODS } from '#contract/project.ts'
import type { ReportRow } from '#contract/report.ts'
import type { ReportColumnField } from '#contract/report-columns.ts'
import { thaiDay } from '#contract/thai-date.ts'
import { HideButton } from '#src/features/hidden-projects/hide-button.tsx'
import { LabelButton } from '#src/features/labels/label-button.tsx'
import { Attachments } from '#src/features/project-row/attachments.tsx'
import { ChangeBadge } from '#src/features/project-row/change-badge.tsx'
import { Deadline } from '#src/features/project-row/deadline.tsx'
import { EstimateMoney, Money, WinnerMoney } from '#src/features/project-row/money-cells.tsx'
import { MovementChip } from '#src/features/project-row/movement-chip.tsx'
import { NameCell } from '#src/features/project-row/name-cell.tsx'
import { useRowMarks } from '#src/features/project-row/row-marks.ts'
import { StatusBadge } from '#src/features/project-row/status-badge.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { Highlighted } from '#src/ui/highlighted.tsx'
import { ProjectId } from '#src/ui/project-id.tsx'

export type Cell = (row: ReportRow) => ReactNode

const text = (value: string | null) => (value === null || value === '' ? <EmptyValue /> : value)
const day = (iso: string | null) =>
  iso === null ? <EmptyValue /> : <span className="whitespace-nowrap">{thaiDay(iso)}</span>
/** Two lines; the whole of it on hover and for screen readers. */
const clamped = (value: ReactNode, title: string) => (
  <span className="line-clamp-2" title={title}>
    {value}
  </span>
)

/** What stands in each of the 25 columns. A column without an entry does not compile. */
export const CELLS = {
  change_status: (row) => <ChangeBadge row={row} />,
  project_id: (row) => <ProjectId id={row.project_id} />,
  name: (row) => (
    <NameCell row={row}>
      <LabelButton projectIds={[row.project_id]} name={row.name} />
      <Hide row={row} />
    </NameCell>
  ),
  dept_sub_name: (row) => <Department row={row} />,
  dept_region: (row) => text(row.dept_region),
  dept_province: (row) => text(row.dept_province),
  project_region: (row) => text(row.project_region),
  project_province: (row) => text(row.project_province),
  budget: (row) => <Money baht={row.budget} />,
  estimate_budget: (row) => <EstimateMoney row={row} />,
  criteria: (row) => (row.criteria === 'no_data' ? <EmptyValue /> : labelOf(PROJECT_CRITERIA, row.criteria)),
  movement: (row) => <MovementChip movement={row.movement} />,
  draft_published_date: (row) => day(row.draft_published_date),
  draft_discussion_end_date: (row) => <LastDay day={row.draft_discussion_end_date} row={row} />,
  bidding_invite_date: (row) => day(row.bidding_invite_date),
  submission_end_date: (row) => <LastDay day={row.submission_end_date} row={row} />,
  submission_time: (row) => text(row.submission_time && `${row.submission_time} น.`),
  status: (row) => <StatusBadge status={row.status} />,
  winner_name: (row) => <Winner row={row} />,
  winner_budget: (row) => <WinnerMoney row={row} />,
  method: (row) => labelOf(PROJECT_METHODS, row.method),
  method_type: (row) => labelOf(PROJECT_METHOD_TYPES, row.method_type),
  remark: (row) => (row.remark ? clamped(row.remark, row.remark) : <EmptyValue />),
  winner_announce_date: (row) => day(row.winner_announce_date),
  attachments: (row) => <Attachments row={row} />,
} satisfies Record<ReportColumnField, Cell>

/** Shows when the row is pointed at or it has the focus; a finger, and who looks at the hidden, always sees it. */
function Hide({ row }: { row: ReportRow }) {
  const { showsHidden } = useRowMarks()
  return (
    <HideButton
      projectId={row.project_id}
      name={row.name}
      isHidden={showsHidden}
      className={classNames(
        '-my-1 touch:-my-2.5',
        !showsHidden && 'group-hover/row:opacity-100! focus-visible:opacity-100! pointer-fine:opacity-0',
      )}
      iconClassName="size-3.5"
    />
  )
}

function Department({ row }: { row: ReportRow }) {
  const { deptWords } = useRowMarks()
  return (
    <>
      {clamped(<Highlighted text={row.dept_sub_name} words={deptWords} />, row.dept_sub_name)}
      {row.dept_province && <span className="block text-xs text-ink-faint">{row.dept_province}</span>}
    </>
  )
}

function LastDay({ day: iso, row }: { day: string | null; row: ReportRow }) {
  const { today } = useRowMarks()
  return <Deadline day={iso} today={today} counts={!row.is_archived && row.status === 'in_progress'} />
}

function Winner({ row }: { row: ReportRow }) {
  const { winnerWords } = useRowMarks()
  if (!row.winner_name) return <EmptyValue />
  return (
    <>
      {clamped(<Highlighted text={row.winner_name} words={winnerWords} />, row.winner_name)}
      {row.winner_count > 1 && <span className="block text-xs text-ink-faint">และอีก {row.winner_count - 1} ราย</span>}
    </>
  )
}
