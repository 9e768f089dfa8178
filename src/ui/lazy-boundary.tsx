import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { forgetFailedLoad } from '#src/lib/lazy-component.ts'
import { ErrorNotice } from './error-notice.tsx'

/** A part that nobody sees is tried again after this long. */
const AGAIN_MS = 10_000

type PartProps = {
  /** Shown while its code is on its way. */
  fallback?: ReactNode
  /** Changes with what the part is about: another thing is another try. */
  resetKey?: unknown
  /** Says nothing where the person has not asked for the part, and tries again by itself. */
  silent?: boolean
  children: ReactNode
}

/** A part of a screen whose code comes later. When it cannot be loaded or drawn, it alone is missing, and can be tried again. */
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
