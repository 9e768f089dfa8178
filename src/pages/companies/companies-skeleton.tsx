import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

const ROWS = ['w-11/12', 'w-3/4', 'w-10/12', 'w-2/3', 'w-11/12', 'w-4/5', 'w-3/4', 'w-10/12'] as const

/** The shape of the table, on a phone of the cards, while the first answer is on its way. */
export function CompaniesSkeleton({ isTable }: { isTable: boolean }) {
  if (!isTable)
    return (
      <SkeletonGroup label="กำลังโหลดบริษัท" className="flex flex-col gap-3">
        {ROWS.slice(0, 4).map((width) => (
          <div key={width} className="rounded-card border border-line bg-surface p-3.5">
            <Skeleton className={width} />
            <Skeleton className="mt-2 w-28" />
            <Skeleton className="mt-5 w-2/3" />
            <Skeleton className="mt-2 w-1/2" />
          </div>
        ))}
      </SkeletonGroup>
    )
  return (
    <SkeletonGroup label="กำลังโหลดบริษัท" className="overflow-hidden rounded-card border border-line bg-surface">
      <div className="h-10 border-b border-line bg-surface-muted" />
      {ROWS.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity beyond their place
        <div key={index} className="flex items-start gap-6 border-b border-line px-3 py-3.5">
          <Skeleton className="size-4 shrink-0" />
          <div className="w-72 shrink-0">
            <Skeleton className={width} />
            <Skeleton className="mt-2 h-3 w-28" />
          </div>
          <Skeleton className="w-14 shrink-0" />
          <Skeleton className="w-28 shrink-0" />
          <Skeleton className="flex-1" />
          <Skeleton className="w-20 shrink-0" />
        </div>
      ))}
    </SkeletonGroup>
  )
}
