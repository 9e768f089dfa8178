import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { forgetFailedLoad } from '#src/lib/lazy-component.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

type BlockBoundaryProps = {
  /** What stands in the block, for the words of its waiting and of its failure. */
  name: string
  /** Changes with what the block is about: another thing is another try. */
  resetKey: string
  /** Room that is kept while it loads, so that nothing below jumps. */
  className?: string
  children: ReactNode
}

/** A block of its own: while it loads, or when it fails, the rest of the page stands. */
export function BlockBoundary({ name, resetKey, className = 'min-h-72', children }: BlockBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => resetKey}
      onCatch={(error) => {
        console.error(error)
        forgetFailedLoad(error)
      }}
      errorComponent={({ error, reset }) => (
        <ErrorNotice
          title={`แสดง${name}ไม่สำเร็จ`}
          reason={errorText(error)}
          requestId={errorRequestId(error)}
          onRetry={reset}
        />
      )}
    >
      <Suspense
        fallback={
          <Card className={className}>
            <SkeletonGroup label={`กำลังโหลด${name}`} className="flex flex-col gap-3 p-5">
              <Skeleton className="w-1/2" />
              <Skeleton className="h-8 w-3/4" />
              <Skeleton />
            </SkeletonGroup>
          </Card>
        }
      >
        {children}
      </Suspense>
    </CatchBoundary>
  )
}
