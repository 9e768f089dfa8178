import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Highlighted } from '#src/ui/project/highlighted.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { CopyIdButton, IdText } from '#src/ui/project/project-id.tsx'
import { useRowMarks, wordsToMark } from './row-marks.ts'
import { ShortReason } from './short-reason.tsx'

type NameTextProps = {
  id: string
  /** Address of the project's page. */
  href: string
  name: string
  words: readonly string[]
  className?: string
}

/**
 * A project's name on two lines, which leads to its page. A longer one unfolds on focus, so that the whole of it can be read without a
 * mouse; the text stays selectable.
 */
function NameText({ id, href, name, words, className }: NameTextProps) {
  const text = useRef<HTMLAnchorElement>(null)
  const [isCut, setIsCut] = useState(false)
  useEffect(() => {
    const element = text.current
    if (!element) return
    const measure = () => {
      // Unfolded it is not cut, but it is the same text: what was known about it stays.
      if (document.activeElement !== element) setIsCut(element.scrollHeight > element.clientHeight + 1)
    }
    if (typeof ResizeObserver === 'undefined') return measure()
    // Tells the first size too, once the page is laid out: asked for here, it would be laid out for every table of names twice.
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <a
      ref={text}
      href={href}
      // A link that can be dragged cannot be marked and copied; Chromium wants to hear of it in the style too (`select-text`).
      draggable={false}
      title={isCut ? name : undefined}
      // Says which project it is to the page, which opens its panel on a plain press.
      data-project-link={id}
      className={classNames(
        'line-clamp-2 rounded-control select-text decoration-line-strong underline-offset-4 hover:underline',
        isCut && 'focus:line-clamp-none',
        className,
      )}
    >
      <Highlighted text={name} words={words} />
    </a>
  )
}

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
