import type { ReactNode } from 'react'
import { Card } from '#src/ui/card.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

type BlockBoundaryProps = {
  name: string
  resetKey: string
  className?: string
  children: ReactNode
}

/** Boundary of an independent block, so that a slow or failed one does not affect the rest of the page. */
export function BlockErrorBoundary({ name, resetKey, className = 'min-h-72', children }: BlockBoundaryProps) {
  return (
    <LazyBoundary
      resetKey={resetKey}
      title={`แสดง${name}ไม่สำเร็จ`}
      fallback={
        <Card className={className}>
          <SkeletonGroup
            label={`กำลังโหลด${name}`}
            className="flex flex-col gap-3 p-5"
            bars={['w-1/2', 'h-8 w-3/4', '']}
          />
        </Card>
      }
    >
      {children}
    </LazyBoundary>
  )
}
