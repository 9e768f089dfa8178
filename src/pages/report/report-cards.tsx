import type { ReportRow } from '#contract/report.ts'
import { useStars } from '#src/features/project-row/row-marks.ts'
import { classNames } from '#src/lib/class-names.ts'
import { type CardSelection, ProjectCard } from './report-card.tsx'

type ReportCardsProps = {
  rows: readonly ReportRow[]
  busy: boolean
  /** Projects that the user has put out of view, in a list that still holds them. */
  hidden: ReadonlySet<string>
  /** Opens the peek sheet of a project. */
  onPeek?: ((row: ReportRow) => void) | undefined
  /** Given while projects are being selected: a press selects instead of opening. */
  selection?: CardSelection | undefined
}

/** The report on a phone: one card a project with the facts that decide. */
export function ReportCards({ rows, busy, hidden, onPeek, selection }: ReportCardsProps) {
  const stars = useStars()
  return (
    <ul
      aria-label="โครงการ"
      aria-busy={busy}
      className={classNames('flex flex-col gap-3 transition-opacity', busy && 'opacity-50')}
    >
      {rows.map((row) => (
        // Cards out of sight are not laid out; the size keeps the scroll bar steady until they are.
        <li
          key={row.project_id}
          data-project-id={row.project_id}
          className="[contain-intrinsic-size:auto_236px] [content-visibility:auto]"
        >
          <ProjectCard
            row={row}
            isStarred={stars.has(row.project_id)}
            isHidden={hidden.has(row.project_id)}
            onPeek={onPeek}
            selection={selection}
          />
        </li>
      ))}
    </ul>
  )
}
