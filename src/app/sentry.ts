import * as Sentry from '@sentry/react'
import { ProblemError } from '#src/api/problem-error.ts'
import { createReportLimit } from './report-limit.ts'
import { isWorthReporting, placeOf } from './reported-errors.ts'
import type { AppRouter } from './router.ts'
import { scrubEnvelope } from './scrub-envelope.ts'

declare const __APP_VERSION__: string

const send = window.fetch.bind(window)
const mayLeave = createReportLimit()
/** Requests whose failure was told when the answer came in; the error that the screen then throws is the same failure. */
const toldRequests = new Set<string>()

/** Version and build: the name of the entry's file changes with every file that it may load. */
function releaseName(): string {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
  return `tamngan@${__APP_VERSION__}+${/\/[^/-]*-([\w-]+)\.js$/.exec(entry)?.[1] ?? 'dev'}`
}

/** Starts the error tracker: traces 100 %, replays 10 %, on an error 100 % (specification section 9). Nothing personal is collected, and what could slip into a text is scrubbed on its way out (R60). */
export function initSentry(dsn: string, router: AppRouter): void {
  Sentry.init({
    dsn,
    release: releaseName(),
    environment: import.meta.env.MODE,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    // Our API takes no part in traces, and the texts of its failures are told apart by the client.
    tracePropagationTargets: [],
    enhanceFetchErrorMessages: false,
    integrations: [Sentry.tanstackRouterBrowserTracingIntegration(router)],
    beforeBreadcrumb(breadcrumb, hint) {
      if (breadcrumb.category === 'fetch' && hint?.response instanceof Response) tellFailedAnswer(hint.response)
      return breadcrumb
    },
    beforeSend(event, { originalException }) {
      if (!isWorthReporting(originalException)) return null
      if (originalException instanceof ProblemError) {
        const { requestId, status } = originalException
        if (requestId !== undefined && toldRequests.has(requestId)) return null
        event.tags = { ...event.tags, 'http.status_code': status, ...(requestId ? { request_id: requestId } : {}) }
      }
      const [first] = event.exception?.values ?? []
      return mayLeave(`${first?.type} ${first?.value ?? event.message}`) ? event : null
    },
    transport: (options) =>
      Sentry.makeFetchTransport(options, (url, init) =>
        send(url, init && { ...init, body: scrubEnvelope(init.body as string | Uint8Array) }),
      ),
  })
  import('./sentry-replay.ts').then(
    ({ replay }) => Sentry.addIntegration(replay()),
    (error: unknown) => console.warn('Session replay could not be loaded', error),
  )
}

/** A failure of the server, whatever screen or button asked; by its request id support finds the line in the server's log. */
function tellFailedAnswer(response: Response): void {
  const { status, url, headers } = response
  if (status < 500 || new URL(url).origin !== location.origin) return
  const requestId = headers.get('x-request-id')
  if (requestId) toldRequests.add(requestId)
  const place = placeOf(url)
  Sentry.captureMessage(`HTTP ${status} ${place}`, {
    level: 'error',
    fingerprint: ['failed-answer', String(status), place],
    tags: { 'http.status_code': status, ...(requestId ? { request_id: requestId } : {}) },
  })
}

export function capture({ error, componentStack }: { error: unknown; componentStack?: string | undefined }): void {
  Sentry.captureException(error, componentStack ? { contexts: { react: { componentStack } } } : {})
}
