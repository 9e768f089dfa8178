import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { forgetFailedLoad } from '#src/lib/lazy-component.ts'
import { ErrorNotice } from './error-notice.tsx'

const AGAIN_MS = 10_000

type PartProps = {
  fallback?: ReactNode
  /** A change of this key resets the error. */
  resetKey?: unknown
  /** Shows no error and retries automatically, for parts that the user did not request. */
  silent?: boolean
  children: ReactNode
}

/**
 * Boundary for a lazily loaded part of a screen. If loading or rendering fails, only this part is missing, with a retry
 * button.
 */
export function LazyBoundary({ fallback = null, resetKey, silent, children }: PartProps) {
  return (
    <CatchBoundary getResetKey={() => resetKey} onCatch={tell} errorComponent={silent ? TryingAgain : Missing}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  )
}

function tell(error: unknown) {
  console.error(error)
  forgetFailedLoad(error)
}

type Failed = { reset: () => void }

function TryingAgain({ reset }: Failed) {
  useEffect(() => {
    const timer = setTimeout(reset, AGAIN_MS)
    return () => clearTimeout(timer)
  }, [reset])
  return null
}

function Missing({ reset }: Failed) {
  return <ErrorNotice title="เปิดส่วนนี้ไม่สำเร็จ" onRetry={reset} />
}
