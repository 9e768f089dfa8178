import type { CSSProperties, ReactNode } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useInView } from '#src/lib/use-in-view.ts'
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

/** Layout takes 30 ms per card on a phone, so the first frame renders only what fits; the others render near the view. */
const FIRST_FRAME_CARDS = 3
const PRELOAD_MARGIN_PX = 800

const ESTIMATED_HEIGHT_PX = 236
/** Card heights from when the last list was left, so that Back restores the scroll position above the tapped card. */
const savedHeights = new Map<string, number>()

const saveHeightsOnUnmount = (list: HTMLElement | null) => () => {
  savedHeights.clear()
  for (const card of (list?.children ?? []) as Iterable<HTMLElement>) {
    const { projectId } = card.dataset
    if (projectId !== undefined && card.offsetHeight > 0) savedHeights.set(projectId, card.offsetHeight)
  }
}

export function ReportCards({ rows, isBusy, hidden, onPeek, selection }: ReportCardsProps) {
  const stars = useStarredIds()
  return (
    <ul
      ref={saveHeightsOnUnmount}
      aria-label="โครงการ"
      aria-busy={isBusy}
      className={classNames('flex flex-col gap-3 transition-opacity', isBusy && 'opacity-50 delay-200')}
    >
      {rows.map((row, index) => (
        <ReportCardItem key={row.project_id} projectId={row.project_id} isInFirstFrame={index < FIRST_FRAME_CARDS}>
          <ProjectCard
            row={row}
            isStarred={stars.has(row.project_id)}
            isHidden={hidden.has(row.project_id)}
            onPeek={onPeek}
            selection={selection}
          />
        </ReportCardItem>
      ))}
    </ul>
  )
}

type ReportCardItemProps = { projectId: string; isInFirstFrame: boolean; children: ReactNode }

function ReportCardItem({ projectId, isInFirstFrame, children }: ReportCardItemProps) {
  const [wasSeen, ref] = useInView(PRELOAD_MARGIN_PX)
  const isRendered = isInFirstFrame || wasSeen
  return (
    // Off-screen cards skip layout; the intrinsic size stabilises the scroll bar. Placeholders have an explicit height,
    // because a browser that once measured one empty would remember its height as 0.
    <li
      ref={ref}
      data-project-id={projectId}
      style={{ '--card': `${savedHeights.get(projectId) ?? ESTIMATED_HEIGHT_PX}px` } as CSSProperties}
      className={isRendered ? '[contain-intrinsic-size:auto_var(--card)] [content-visibility:auto]' : 'h-[var(--card)]'}
    >
      {isRendered && children}
    </li>
  )
}
