import { type RefObject, useEffect, useState } from 'react'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import type { DeadlineUrgency } from '#contract/catalogue/time-left.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { useDeadlineTimeLeft } from '#src/report/project-row/deadline-text.tsx'
import { getNameHighlights, useProjectRowDisplayData } from '#src/report/project-row/project-row-display-data.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { EgpLink, ProjectStarToggle } from './project-actions.tsx'
import { AdjacentProjectButtons } from './project-breadcrumbs.tsx'
import type { AdjacentProjects } from './use-adjacent-projects.ts'

const TONES: Record<DeadlineUrgency, BadgeTone> = {
  urgent: 'urgent',
  soon: 'updated',
  plain: 'neutral',
  past: 'neutral',
}

type ProjectBarProps = {
  row: ReportRow
  header: RefObject<HTMLElement | null>
  neighbours: AdjacentProjects
}

export function ProjectStickyBar({ row, header, neighbours }: ProjectBarProps) {
  const { nameWords, today } = useProjectRowDisplayData()
  const isAway = useIsScrolledPast(header)
  if (!isAway) return null
  const { submission_end_date: deadlineDay, status, is_archived } = row
  const isOpen = deadlineDay !== null && deadlineDay >= today && status === 'in_progress' && !is_archived
  return (
    <section
      aria-label="หัวเรื่องโครงการแบบย่อ"
      data-project-bar
      className="appear fixed inset-x-0 top-header z-30 border-b border-line bg-surface px-4 lg:px-5 print:hidden"
    >
      <div className="mx-auto flex h-12 max-w-[1232px] items-center gap-3">
        <p className="min-w-0 truncate font-semibold" title={row.name}>
          <HighlightedText text={row.name} {...getNameHighlights(row, nameWords)} />
        </p>
        {isOpen ? (
          <TimeLeft day={deadlineDay} today={today} time={row.submission_time} />
        ) : (
          <Badge className="shrink-0">{getChoiceLabel(PROJECT_MOVEMENTS, row.movement)}</Badge>
        )}
        <div className="ml-auto flex shrink-0 items-center gap-2">
          <AdjacentProjectButtons neighbours={neighbours} className="text-sm text-ink-muted max-lg:hidden" />
          <span className="contents max-sm:hidden">
            <ProjectStarToggle id={row.project_id} size="sm" />
            <EgpLink row={row} size="sm" />
          </span>
        </div>
      </div>
    </section>
  )
}

function useIsScrolledPast(element: RefObject<HTMLElement | null>): boolean {
  const [isAbove, setIsAbove] = useState(false)
  useEffect(() => {
    const target = element.current
    if (!target || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      ([entry]) =>
        entry && setIsAbove(!entry.isIntersecting && entry.boundingClientRect.bottom < window.innerHeight / 2),
      // The app header covers the top 56 px.
      { rootMargin: '-56px 0px 0px' },
    )
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return isAbove
}

function TimeLeft({ day, today, time }: { day: string; today: string; time: string | null }) {
  const { text, urgency } = useDeadlineTimeLeft(day, today, time)
  return (
    // On wide screens the countdown next to the page stays visible.
    <Badge tone={TONES[urgency]} className="shrink-0 lg:hidden">
      {text}
    </Badge>
  )
}
