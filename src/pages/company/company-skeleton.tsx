import { Card } from '#src/ui/card.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

const CARDS = ['wins', 'value', 'rate', 'discount', 'share', 'median', 'budget', 'active']

/** Key figures and the first two charts before the company is there. */
export function CompanySkeleton() {
  return (
    <SkeletonGroup label="กำลังเปิดข้อมูลบริษัท" className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {CARDS.map((card) => (
          <Card key={card} className="flex flex-col gap-2 p-4">
            <Skeleton className="h-3 w-1/2" />
            <Skeleton className="h-7 w-2/3" />
            <Skeleton className="h-3 w-3/4" />
          </Card>
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        {CARDS.slice(0, 2).map((card) => (
          <Card key={card} className="flex flex-col gap-3 p-5">
            <Skeleton className="w-1/3" />
            <Skeleton className="h-40" />
          </Card>
        ))}
      </div>
    </SkeletonGroup>
  )
}
