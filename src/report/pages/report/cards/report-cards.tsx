import { type CSSProperties, startTransition, useEffect, useState } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { runWhenIdle } from '#src/lib/run-when-idle.ts'
import { useStarredIds } from '#src/report/project-row/project-row-display-data.ts'
import { ProjectCard, type ReportCardSelection } from './project-card.tsx'

type ReportCardsProps = {
  rows: readonly ReportRow[]
  isBusy: boolean
  hidden: ReadonlySet<string>
  onPeek?: ((row: ReportRow) => void) | undefined
  /** Set in selection mode, where a tap on a card selects it instead of opening it. */
  selection?: ReportCardSelection | undefined
}

/**
 * Layout takes 30 ms per card on a phone, so the first frames render only what fits: the second frame fills the screen
 * plus one card. The others follow one by one, because a batch of six blocked the phone for 160 ms.
 */
const FIRST_FRAME_CARDS = 2
const SECOND_FRAME_CARDS = 4

const ESTIMATED_HEIGHT_PX = 236
/** Card heights from when the last list was left, so that Back restores the scroll position above the tapped card. */
const savedHeights = new Map<string, number>()

function saveHeights(list: HTMLElement): void {
  savedHeights.clear()
  for (const card of list.children as HTMLCollectionOf<HTMLElement>) {
    const { projectId } = card.dataset
    if (projectId !== undefined && card.offsetHeight > 0) savedHeights.set(projectId, card.offsetHeight)
  }
}
const saveHeightsOnUnmount = (list: HTMLElement | null) => () => {
  if (list) saveHeights(list)
}

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

export function ReportCards({ rows, isBusy, hidden, onPeek, selection }: ReportCardsProps) {
  const stars = useStarredIds()
  const [renderedCount, setRenderedCount] = useState(FIRST_FRAME_CARDS)
  const isWhole = renderedCount >= rows.length
  useEffect(() => {
    if (isWhole) return
    if (renderedCount < SECOND_FRAME_CARDS)
      return afterFrame(() => startTransition(() => setRenderedCount(SECOND_FRAME_CARDS)))
    return runWhenIdle(() => startTransition(() => setRenderedCount((before) => before + 1)))
  }, [renderedCount, isWhole])
  return (
    <ul
      ref={saveHeightsOnUnmount}
      aria-label="โครงการ"
      aria-busy={isBusy}
      className={classNames('flex flex-col gap-3 transition-opacity', isBusy && 'opacity-50 delay-200')}
    >
      {rows.map((row, index) => (
        // Off-screen cards skip layout; the intrinsic size stabilises the scroll bar. Placeholders have an explicit
        // height, because a browser that once measured one empty would remember its height as 0.
        <li
          key={row.project_id}
          data-project-id={row.project_id}
          style={{ '--card': `${savedHeights.get(row.project_id) ?? ESTIMATED_HEIGHT_PX}px` } as CSSProperties}
          className={
            index < renderedCount
              ? '[contain-intrinsic-size:auto_var(--card)] [content-visibility:auto]'
              : 'h-[var(--card)]'
          }
        >
          {index < renderedCount && (
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
