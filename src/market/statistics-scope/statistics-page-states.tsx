import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

type FigurePageForbiddenProps = { heading: string; title: string; error: Error }

/** Shown when access is revoked while the page is open; otherwise the route guard redirects. */
export function StatisticsPageForbidden({ heading, title, error }: FigurePageForbiddenProps) {
  return (
    <>
      <h1 className="sr-only">{heading}</h1>
      <EmptyState
        icon={Lock}
        title={title}
        actions={
          <Link to="/report" className={getButtonClasses('primary')}>
            ไปรายงานโครงการ
          </Link>
        }
      >
        {getErrorText(error)}
      </EmptyState>
    </>
  )
}

type FigurePageSkeletonProps = {
  label: string
  figures: readonly string[]
  columns: string
  blocks: number
}

export function StatisticsPageSkeleton({ label, figures, columns, blocks }: FigurePageSkeletonProps) {
  return (
    <SkeletonGroup label={label} className="flex flex-col gap-4">
      <div className={classNames('grid grid-cols-2 gap-3', columns)}>
        {figures.map((figure) => (
          <Card key={figure} className="flex flex-col gap-2 p-4">
            <Skeleton className="h-3 w-1/2" />
            <Skeleton className="h-7 w-2/3" />
            <Skeleton className="h-3 w-3/4" />
          </Card>
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {figures.slice(0, blocks).map((figure) => (
          <Card key={figure} className="flex flex-col gap-3 p-5">
            <Skeleton className="w-1/3" />
            <Skeleton className="h-40" />
          </Card>
        ))}
      </div>
    </SkeletonGroup>
  )
}
