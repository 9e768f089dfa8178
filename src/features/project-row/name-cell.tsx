import type { ReactNode } from 'react'
import type { ReportRow } from '#contract/report.ts'
import { LabelChip } from '#src/ui/label-chip.tsx'
import { CopyIdButton, IdText } from '#src/ui/project-id.tsx'
import { NameText } from './name-text.tsx'
import { useRowMarks, wordsToMark } from './row-marks.ts'
import { ShortReason } from './short-reason.tsx'

type NameCellProps = { row: ReportRow }

/** A project's name with the matched words marked; below it the number, why it is here where the marks do not say it, the user's labels and `children`: the button for labels. */
export function NameCell({ row, children }: NameCellProps & { children?: ReactNode }) {
  const { labelsOf } = useRowMarks()
  return (
    <>
      <ProjectName row={row} />
      <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 gap-y-1 text-ink-faint">
        <IdText id={row.project_id} />
        <ShortReason row={row} className="max-w-32" />
        {labelsOf(row.project_id).map((label) => (
          <LabelChip key={label.id} label={label} />
        ))}
        {children}
        <CopyIdButton id={row.project_id} />
      </span>
    </>
  )
}

/** The name alone: words of the watch lists and of the present search are marked alike. */
export function ProjectName({ row }: NameCellProps) {
  const { nameWords, hrefOf } = useRowMarks()
  const { project_id: id, name } = row
  return <NameText id={id} href={hrefOf(id)} name={name} words={wordsToMark(row, nameWords)} />
}
