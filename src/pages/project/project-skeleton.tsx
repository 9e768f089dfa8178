import { Card } from '#src/ui/card.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

const CELLS = ['budget', 'estimate', 'criteria', 'method', 'type', 'sme', 'unit', 'province', 'files']

/** Stage line, facts and side column before the project is there. */
export function ProjectSkeleton() {
  return (
    <SkeletonGroup label="กำลังเปิดโครงการ" className="flex flex-col gap-4">
      <Card className="grid grid-cols-2 gap-4 p-5 md:grid-cols-6">
        {CELLS.slice(0, 6).map((cell) => (
          <span key={cell} className="flex flex-col gap-2">
            <Skeleton className="size-5 rounded-full" />
            <Skeleton className="w-3/4" />
            <Skeleton className="h-3 w-1/2" />
          </span>
        ))}
      </Card>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_340px] xl:grid-cols-[minmax(0,1fr)_396px]">
        <Card className="grid grid-cols-2 gap-x-5 gap-y-6 p-5 md:grid-cols-3">
          {CELLS.map((cell) => (
            <span key={cell} className="flex flex-col gap-2">
              <Skeleton className="h-3 w-1/2" />
              <Skeleton className="w-4/5" />
            </span>
          ))}
        </Card>
        <Card className="flex flex-col gap-3 p-5 max-lg:order-first">
          <Skeleton className="w-1/2" />
          <Skeleton className="h-9 w-2/5" />
          <Skeleton className="w-3/4" />
        </Card>
      </div>
    </SkeletonGroup>
  )
}
