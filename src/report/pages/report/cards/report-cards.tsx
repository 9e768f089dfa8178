import { type CSSProperties, startTransition, useEffect, useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { whenIdle } from '#src/lib/when-idle.ts'
import { useStars } from '#src/report/project-row/row-marks.ts'
import { type CardSelection, ProjectCard } from './report-card.tsx'

type ReportCardsProps = {
  rows: readonly ReportRow[]
  busy: boolean
  hidden: ReadonlySet<string>
  onPeek?: ((row: ReportRow) => void) | undefined
  /** Set in selection mode, where a tap selects instead of opening. */
  selection?: CardSelection | undefined
}

/** Cards in the first frame: on a phone, layout takes 30 ms per card. */
const FIRST = 2
/** Cards that fit a phone screen, plus one; rendered in the second frame. */
const IN_VIEW = 4
/** Cards rendered per batch: about 40 ms on a phone. */
const AT_ONCE = 6

/** Estimated height of an unseen card, px. */
const USUAL_HEIGHT = 236
/** Card heights of the last list that was left, so that Back restores the scroll position above the tapped card. */
const leftHeights = new Map<string, number>()

function rememberHeights(list: HTMLElement): void {
  const cards = list.querySelectorAll<HTMLElement>(':scope > [data-project-id]')
  leftHeights.clear()
  // A card that is not displayed has height 0.
  for (const card of cards) if (card.offsetHeight > 0) leftHeights.set(card.dataset.projectId!, card.offsetHeight)
}
const keepHeights = (list: HTMLElement | null) => () => {
  if (list) rememberHeights(list)
}

/** Runs `work` once the next frame is painted. Returns a function that cancels it. */
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

export function ReportCards({ rows, busy, hidden, onPeek, selection }: ReportCardsProps) {
  const stars = useStars()
  // The first render covers the viewport; the rest follows in batches, because layout cost grows with each render.
  const [drawn, setDrawn] = useState(FIRST)
  const isWhole = drawn >= rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each batch schedules the next
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
        // Off-screen cards skip layout; the intrinsic size stabilises the scroll bar. Placeholders have an explicit
        // height, because a browser that once measured one empty would remember its height as 0.
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
