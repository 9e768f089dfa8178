import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { PreviousNextButtons } from '#src/report/project-peek/previous-next-buttons.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import type { AdjacentProjects } from './use-adjacent-projects.ts'

type AdjacentProjectButtonsProps = { neighbours: AdjacentProjects; className: string }

export function AdjacentProjectButtons({ neighbours, className }: AdjacentProjectButtonsProps) {
  const { previous, next, position, total, moveTo } = neighbours
  if (position === undefined) return null
  return (
    <div className={`flex items-center ${className}`}>
      <span className="px-1 whitespace-nowrap tabular-nums">
        {formatCount(position)} จาก {formatCount(total)}
      </span>
      <PreviousNextButtons
        onPrevious={previous === undefined ? undefined : () => moveTo(previous)}
        onNext={next === undefined ? undefined : () => moveTo(next)}
      />
    </div>
  )
}

type ProjectBreadcrumbsProps = {
  id: string
  from: ReportSearch | undefined
  onBack: () => void
  neighbours: AdjacentProjects
}

export function ProjectBreadcrumbs({ id, from, onBack, neighbours }: ProjectBreadcrumbsProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted print:hidden">
      <nav aria-label="ตำแหน่งของหน้านี้">
        <ol className="flex flex-wrap items-center gap-x-2">
          <li className="flex">
            <Link
              to="/report"
              search={from ?? {}}
              title="กลับไปยังรายงาน (Esc)"
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
                event.preventDefault()
                onBack()
              }}
              className="inline-flex items-center gap-1.5 rounded-control hover:text-ink hover:underline touch:min-h-11"
            >
              <ArrowLeft aria-hidden className="size-4" />
              กลับไปยังรายงาน
            </Link>
          </li>
          <li className="flex items-center gap-x-2">
            <span aria-hidden className="text-line-strong">
              /
            </span>
            <span aria-current="page">
              <ProjectId id={id.slice(0, 40)} />
            </span>
          </li>
        </ol>
      </nav>
      <AdjacentProjectButtons neighbours={neighbours} className="ml-auto" />
    </div>
  )
}
