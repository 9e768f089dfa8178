import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { getErrorText } from '#src/lib/problem-error.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCards } from '#src/ui/skeleton-card.tsx'

type StatisticsForbiddenProps = { title: string; error: Error }

export function StatisticsForbidden({ title, error }: StatisticsForbiddenProps) {
  return (
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
  )
}

/** Shown when access is revoked while the page is open; otherwise the route guard redirects. */
export function StatisticsPageForbidden({ heading, ...props }: StatisticsForbiddenProps & { heading: string }) {
  return (
    <>
      <h1 className="sr-only">{heading}</h1>
      <StatisticsForbidden {...props} />
    </>
  )
}

export function StatisticsPageSkeleton({ label, figures, blocks }: { label: string; figures: number; blocks: number }) {
  return (
    <SkeletonGroup label={label} className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <SkeletonCards count={figures} bars={['h-3 w-1/2', 'h-7 w-2/3', 'h-3 w-3/4']} />
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <SkeletonCards count={blocks} bars={['w-1/3', 'h-40']} className="gap-3 p-5" />
      </div>
    </SkeletonGroup>
  )
}
