import { type CSSProperties, startTransition, useEffect, useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { whenIdle } from '#src/lib/when-idle.ts'
import { useStars } from '#src/report/project-row/row-marks.ts'
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

/** Cards of the first frame: what is laid out in it keeps it back, on a phone by 30 ms a card. */
const FIRST = 2
/** Cards that a phone has room for, and one more: in the frame after it. */
const IN_VIEW = 4
/** Cards that are drawn and laid out in one go: on a phone about 40 ms. */
const AT_ONCE = 6

/** Height of a card that has not been seen yet. */
const USUAL_HEIGHT = 236
/** Heights of the cards of the list that was left last: where Back puts the list together again, it is as high above the pressed card as it was. */
const leftHeights = new Map<string, number>()

function rememberHeights(list: HTMLElement): void {
  const cards = list.querySelectorAll<HTMLElement>(':scope > [data-project-id]')
  leftHeights.clear()
  // A card that is no longer shown has the height 0.
  for (const card of cards) if (card.offsetHeight > 0) leftHeights.set(card.dataset.projectId!, card.offsetHeight)
}
const keepHeights = (list: HTMLElement | null) => () => {
  if (list) rememberHeights(list)
}

/** Runs once the next frame is on the screen. The answer takes it back. */
function afterFrame(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** The report on a phone: one card a project with the facts that decide. */
export function ReportCards({ rows, busy, hidden, onPeek, selection }: ReportCardsProps) {
  const stars = useStars()
  // The first drawing is of what is in view; the others follow a few at a time, because what is drawn at once is laid out at once.
  const [drawn, setDrawn] = useState(FIRST)
  const isWhole = drawn >= rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step begins the next
  useEffect(() => {
    if (isWhole) return
    if (drawn < IN_VIEW) return afterFrame(() => startTransition(() => setDrawn(IN_VIEW)))
    return whenIdle(() => startTransition(() => setDrawn((before) => before + AT_ONCE)))
  }, [drawn, isWhole])
  return (
    <ul
      ref={keepHeights}
      aria-label="โครงการ"
      aria-busy={busy}
      className={classNames('flex flex-col gap-3 transition-opacity', busy && 'opacity-50 delay-200')}
    >
      {rows.map((row, index) => (
        // Cards out of sight are not laid out; the size keeps the scroll bar steady until they are. Before its card is drawn a place has
        // that size by itself: a browser that once saw it empty would remember its height as nothing.
        <li
          key={row.project_id}
          data-project-id={row.project_id}
          style={{ '--card': `${leftHeights.get(row.project_id) ?? USUAL_HEIGHT}px` } as CSSProperties}
          className={
            index < drawn ? '[contain-intrinsic-size:auto_var(--card)] [content-visibility:auto]' : 'h-[var(--card)]'
          }
        >
          {index < drawn && (
            <ProjectCard
              row={row}
              isStarred={stars.has(row.project_id)}
              isHidden={hidden.has(row.project_id)}
              onPeek={onPeek}
              selection={selection}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
