import type { ReportRow } from '#contract/report.ts'
import { formatBaht } from '#contract/thai-number.ts'
import { ChangeBadge } from '#src/features/project-row/change-badge.tsx'
import { Deadline } from '#src/features/project-row/deadline.tsx'
import { ProjectName } from '#src/features/project-row/name-cell.tsx'
import { ProjectId } from '#src/features/project-row/project-id.tsx'
import { useRowMarks } from '#src/features/project-row/row-marks.ts'
import { StarMark } from '#src/features/project-row/star-mark.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from '#src/ui/card.tsx'
import { LabelChip } from '#src/ui/label-chip.tsx'

type ReportCardsProps = { rows: readonly ReportRow[]; busy: boolean }

/** The report on a phone: one card a project with the facts that decide. */
export function ReportCards({ rows, busy }: ReportCardsProps) {
  return (
    <ul
      aria-label="โครงการ"
      aria-busy={busy}
      className={classNames('flex flex-col gap-3 transition-opacity', busy && 'opacity-50')}
    >
      {rows.map((row) => (
        // Cards out of sight are not laid out; the size keeps the scroll bar steady until they are.
        <Card
          as="li"
          key={row.project_id}
          className="p-3.5 [contain-intrinsic-size:auto_210px] [content-visibility:auto]"
        >
          <ProjectCard row={row} />
        </Card>
      ))}
    </ul>
  )
}

function ProjectCard({ row }: { row: ReportRow }) {
  const labels = useRowMarks().labelsOf(row.project_id)
  return (
    <article>
      <div className="flex items-center gap-2">
        <ChangeBadge row={row} />
        <ProjectId id={row.project_id} className="text-ink-faint" />
        <span className="ml-auto">
          <StarMark projectId={row.project_id} />
        </span>
      </div>
      <h2 className="mt-1 text-md font-medium">
        <ProjectName row={row} />
      </h2>
      <p className="mt-0.5 text-ink-muted">{[row.dept_sub_name, row.project_province].filter(Boolean).join(' · ')}</p>
      {labels.length > 0 && (
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          {labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
        </p>
      )}
      <dl className="mt-2.5 flex items-start justify-between gap-3 border-t border-line pt-2.5">
        <div className="min-w-0">
          <dt className="text-xs text-ink-muted">งบประมาณ</dt>
          <dd className="text-md font-semibold tabular-nums">
            {row.budget === null ? (
              <span className="font-normal text-ink-faint">ไม่มีข้อมูล</span>
            ) : (
              <>
                {formatBaht(row.budget).replace(/\.00$/, '')}{' '}
                <span className="text-sm font-normal text-ink-muted">บาท</span>
              </>
            )}
          </dd>
        </div>
        <LastDay row={row} />
      </dl>
    </article>
  )
}

/** The next thing that ends: the submission, or the comment period while there is no submission date; for closed work the winning price. */
function LastDay({ row }: { row: ReportRow }) {
  const { today } = useRowMarks()
  if (row.winner_budget !== null) {
    return (
      <div className="min-w-0 text-right">
        <dt className="text-xs text-ink-muted">ราคาที่ชนะ</dt>
        <dd className="text-md tabular-nums">{formatBaht(row.winner_budget).replace(/\.00$/, '')}</dd>
      </div>
    )
  }
  const isDraft = row.submission_end_date === null && row.draft_discussion_end_date !== null
  const day = isDraft ? row.draft_discussion_end_date : row.submission_end_date
  return (
    <div className="text-right">
      <dt className="text-xs text-ink-muted">{isDraft ? 'วิจารณ์ร่างถึง' : 'ยื่นถึง'}</dt>
      <dd>
        <Deadline day={day} today={today} counts={!row.is_archived && row.status === 'in_progress'} />
      </dd>
    </div>
  )
}
