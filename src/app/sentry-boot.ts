import { readPageMetadata } from '#src/lib/page-metadata.ts'
import type { AppRouter } from './router.ts'

type CaughtError = { readonly error: unknown; readonly componentStack?: string | undefined }

/** Errors that occurred before the tracker has loaded; capped, so that an error loop cannot exhaust memory. */
const buffered: CaughtError[] = []
const MAX_BUFFERED = 20
let send: ((caught: CaughtError) => void) | undefined
let load: () => void = () => undefined

export function reportError(error: unknown, info?: { readonly componentStack?: string | undefined }): void {
  const caught = { error, componentStack: info?.componentStack }
  if (send) send(caught)
  else {
    if (buffered.length < MAX_BUFFERED) buffered.push(caught)
    load()
  }
}

/**
 * Loads the error tracker after first paint, or immediately on an error; a no-op without a DSN, which the server writes
 * into the page (`SENTRY_DSN`).
 */
export function loadSentryWhenIdle(router: AppRouter, dsn = readPageMetadata('sentry-dsn')): void {
  if (!dsn) return
  const onError = (event: ErrorEvent) => reportError(event.error ?? event.message)
  const onRejection = (event: PromiseRejectionEvent) => reportError(event.reason)
  window.addEventListener('error', onError)
  window.addEventListener('unhandledrejection', onRejection)
  let isStarted = false
  load = () => {
    if (isStarted) return
    isStarted = true
    import('./sentry.ts').then(
      ({ initSentry, captureError }) => {
        initSentry(dsn, router)
        window.removeEventListener('error', onError)
        window.removeEventListener('unhandledrejection', onRejection)
        send = captureError
        for (const caught of buffered.splice(0)) captureError(caught)
      },
      (error: unknown) => console.warn('The error tracker could not be loaded', error),
    )
  }
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 3000 })
  else setTimeout(load, 1500)
}
