import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

const ROWS = ['w-11/12', 'w-3/4', 'w-10/12', 'w-2/3', 'w-11/12', 'w-4/5', 'w-3/4', 'w-10/12'] as const

export function ReportTableSkeleton() {
  return (
    <SkeletonGroup
      label="กำลังโหลดโครงการ"
      className="h-full overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="h-[37px] border-b border-line bg-surface-muted" />
      {withReactKeys(ROWS, String).map(({ key, item: width }) => (
        <div key={key} className="flex h-[74px] items-start gap-6 border-b border-line px-2 py-2.5">
          <Skeleton className="size-4 shrink-0" />
          <Skeleton className="-ml-2 size-4 shrink-0 rounded-full" />
          <Skeleton className="h-5 w-14 shrink-0 rounded-full" />
          <div className="min-w-0 flex-[3]">
            <Skeleton className={width} />
            <Skeleton className="mt-2 w-28" />
          </div>
          <Skeleton className="flex-1" />
          <Skeleton className="w-24 shrink-0" />
          <Skeleton className="w-24 shrink-0" />
          <Skeleton className="w-20 shrink-0" />
        </div>
      ))}
    </SkeletonGroup>
  )
}

export function ReportCardsSkeleton() {
  return (
    <SkeletonGroup label="กำลังโหลดโครงการ" className="flex flex-col gap-3">
      {ROWS.slice(0, 4).map((width) => (
        <div key={width} className="h-[15.4rem] overflow-hidden rounded-card border border-line bg-surface p-3.5 pt-2">
          <div className="flex min-h-11 items-center">
            <Skeleton className="h-5 w-36" />
          </div>
          <div className="min-h-[2lh] text-md">
            <Skeleton className={width} />
          </div>
          <div className="mt-0.5 min-h-[1lh] text-ink-muted">
            <Skeleton className="w-1/2" />
          </div>
          <Skeleton className="mt-5 w-2/3" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
