import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { resetFailedLazyLoad } from '#src/lib/lazy-component.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

type BlockBoundaryProps = {
  name: string
  resetKey: string
  className?: string
  children: ReactNode
}

/**
 * Error and loading boundary of an independent block, so that a slow or failed block does not affect the rest of the
 * page.
 */
export function BlockErrorBoundary({ name, resetKey, className = 'min-h-72', children }: BlockBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => resetKey}
      onCatch={(error) => {
        console.error(error)
        resetFailedLazyLoad(error)
      }}
      errorComponent={({ error, reset }) => <ErrorNotice title={`แสดง${name}ไม่สำเร็จ`} error={error} onRetry={reset} />}
    >
      <Suspense
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
      </Suspense>
    </CatchBoundary>
  )
}
