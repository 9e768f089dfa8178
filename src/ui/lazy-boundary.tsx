import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect } from 'react'
import { lazyComponent, resetFailedLazyLoad } from '#src/lib/lazy-component.ts'
import { ErrorNotice } from './error-notice.tsx'

const RETRY_DELAY_MS = 10_000

type LazyBoundaryProps = {
  fallback?: ReactNode
  /** Title of the error notice, which then also shows the reason. */
  title?: string
  resetKey?: unknown
  /** Shows no error and retries automatically, for parts that the user did not request. */
  silent?: boolean
  children: ReactNode
}

/** If a lazy part of a screen fails to load or render, only this part is missing, with a retry button. */
export function LazyBoundary({ fallback = null, title, resetKey, silent, children }: LazyBoundaryProps) {
  // An inline component is a new type on each render, so React would remount the notice and its button lose focus.
  const RetryNotice = useCallback(
    ({ error, reset }: ErrorComponentProps) => (
      <ErrorNotice title={title ?? 'เปิดส่วนนี้ไม่สำเร็จ'} error={title && error} onRetry={reset} />
    ),
    [title],
  )
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

/** Like `lazyComponent`, but each instance renders in a `LazyBoundary` of its own. */
export function lazyPart<M, K extends keyof M>(
  load: () => Promise<M>,
  name: K,
  boundary?: Pick<LazyBoundaryProps, 'fallback' | 'silent'>,
) {
  const Part = lazyComponent(load, name)
  const Content = Part as ComponentType<object>
  const PartInBoundary = (props: object) => (
    <LazyBoundary {...boundary}>
      <Content {...props} />
    </LazyBoundary>
  )
  return Object.assign(PartInBoundary, { preload: Part.preload }) as unknown as typeof Part
}

function reportFailure(error: unknown) {
  console.error(error)
  resetFailedLazyLoad(error)
}

function AutoRetry({ reset }: { reset: () => void }) {
  useEffect(() => {
    const timer = setTimeout(reset, RETRY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [reset])
  return null
}
