import type { ReportRow } from '#contract/report.ts'
import { LabelChip } from '#src/ui/label-chip.tsx'
import { NameText } from './name-text.tsx'
import { ProjectId } from './project-id.tsx'
import { useRowMarks } from './row-marks.ts'

type NameCellProps = {
  row: Pick<ReportRow, 'project_id' | 'name' | 'matched_words'>
  /** Shows the number under the name, where it has no column of its own. */
  withId: boolean
}

/** A project's name with the matched words marked, and its labels below. */
export function NameCell({ row, withId }: NameCellProps) {
  const { nameWords, labelsOf } = useRowMarks()
  const labels = labelsOf(row.project_id)
  return (
    <>
      <NameText name={row.name} words={[...row.matched_words, ...nameWords]} />
      {(withId || labels.length > 0) && (
        <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-1">
          {withId && <ProjectId id={row.project_id} className="text-ink-faint" />}
          {labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
        </span>
      )}
    </>
  )
}
