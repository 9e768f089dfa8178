import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect } from 'react'
import { resetFailedLazyLoad } from '#src/lib/lazy-component.ts'
import { ErrorNotice } from './error-notice.tsx'

const RETRY_DELAY_MS = 10_000

type LazyBoundaryProps = {
  fallback?: ReactNode
  resetKey?: unknown
  /** Shows no error and retries automatically, for parts that the user did not request. */
  silent?: boolean
  children: ReactNode
}

/**
 * Boundary for a lazily loaded part of a screen. If it fails to load or render, only this part is missing, with a retry
 * button.
 */
export function LazyBoundary({ fallback = null, resetKey, silent, children }: LazyBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => resetKey}
      onCatch={reportFailure}
      errorComponent={silent ? AutoRetry : RetryNotice}
    >
      <Suspense fallback={fallback}>{children}</Suspense>
    </CatchBoundary>
  )
}

function reportFailure(error: unknown) {
  console.error(error)
  resetFailedLazyLoad(error)
}

type RetryProps = { reset: () => void }

function AutoRetry({ reset }: RetryProps) {
  useEffect(() => {
    const timer = setTimeout(reset, RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [reset])
  return null
}

function RetryNotice({ reset }: RetryProps) {
  return <ErrorNotice title="เปิดส่วนนี้ไม่สำเร็จ" onRetry={reset} />
}
