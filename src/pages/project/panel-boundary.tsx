import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

type PanelBoundaryProps = {
  /** What stands in the panel, for the words of its waiting and of its failure. */
  name: string
  /** Changes with the project: another one is another try. */
  resetKey: string
  /** Room that is kept while it loads, so that nothing below jumps. */
  className: string
  children: ReactNode
}

/** A panel of its own: while it loads, or when it fails, the rest of the page stands. */
export function PanelBoundary({ name, resetKey, className, children }: PanelBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => resetKey}
      onCatch={(error) => console.error(error)}
      errorComponent={(failure) => <PanelFailure name={name} {...failure} />}
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

function PanelFailure({ name, error, reset }: ErrorComponentProps & { name: string }) {
  return (
    <ErrorNotice
      title={`เปิด${name}ไม่สำเร็จ`}
      reason={errorText(error)}
      requestId={errorRequestId(error)}
      onRetry={reset}
    />
  )
}
