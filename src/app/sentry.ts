import * as Sentry from '@sentry/react'
import { getEntryScriptUrl } from '#src/lib/page-metadata.ts'
import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { scrubSensitiveTextDeep } from '#src/lib/scrub.ts'
import type { AppRouter } from './router.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const NEWLINE = 10

type ItemHeader = { type?: string; length?: number }

/** Scrubs each JSON line of a payload (a replay has two). Throws if a line is not JSON, so that it is not sent. */
function scrubPayload(payload: string): string {
  return payload
    .split('\n')
    .map((document) => (document === '' ? '' : JSON.stringify(scrubSensitiveTextDeep(JSON.parse(document)))))
    .join('\n')
}

/**
 * Last step before data leaves for the error tracker: scrubs every text of an envelope (header line, then item header
 * and payload alternating) and corrects the item lengths (R60).
 */
export function scrubSentryEnvelope(envelope: string | Uint8Array): string {
  const bytes = typeof envelope === 'string' ? encoder.encode(envelope) : envelope
  let at = 0
  const take = (length?: number): string => {
    const newline = bytes.indexOf(NEWLINE, at)
    const lineEnd = length === undefined ? (newline === -1 ? bytes.length : newline) : at + length
    const text = decoder.decode(bytes.subarray(at, lineEnd))
    at = lineEnd + 1
    return text
  }
  const lines = [scrubPayload(take())]
  while (at < bytes.length) {
    const header = JSON.parse(take()) as ItemHeader
    const payload = scrubPayload(take(header.length))
    const length = header.length === undefined ? {} : { length: encoder.encode(payload).length }
    lines.push(JSON.stringify({ ...header, ...length }), payload)
  }
  return lines.join('\n')
}

const MAX_REPORTS_PER_KIND = 3
const WINDOW_MS = 60_000
const MAX_REPORTS_PER_PAGE = 50

/** Limits the reports of a kind: a render loop or a server outage is reported a few times, not thousands. */
export function createErrorReportLimiter(now: () => number = Date.now): (kind: string) => boolean {
  const kinds = new Map<string, { since: number; count: number }>()
  let sentCount = 0
  return (kind) => {
    if (sentCount >= MAX_REPORTS_PER_PAGE) return false
    const previous = kinds.get(kind)
    const current = previous && now() - previous.since < WINDOW_MS ? previous : { since: now(), count: 0 }
    if (current.count >= MAX_REPORTS_PER_KIND) return false
    current.count += 1
    sentCount += 1
    kinds.set(kind, current)
    return true
  }
}

/** Refusals (4xx) and aborted requests are no bugs, and while offline neither are failed loads, even of chunks. */
export function shouldReportError(error: unknown, isOnline: boolean = navigator.onLine): boolean {
  if (error instanceof ProblemError) return error.status >= 500
  if (error instanceof NetworkError || (error as Error | undefined)?.name === 'AbortError') return false
  return isOnline || !isMissingFile(error)
}

function isMissingFile(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error)
  return /dynamically imported module|importing a module script|preload CSS/i.test(message)
}

/** Returns an API path without ids and names, so that errors group into few kinds. */
export function toErrorGroupPath(address: string): string {
  const { pathname } = new URL(address, location.origin)
  return pathname.replace(/(?<![^/])(?=[^/]*[\d%])[^/]+/g, (part) => (part === 'v2' ? part : '…'))
}

declare const __APP_VERSION__: string

const send = window.fetch.bind(window)
const canSend = createErrorReportLimiter()
/** Failures reported when the response arrived; they are not reported again when the screen throws them. */
const reportedRequestIds = new Set<string>()

/** Returns version and build: the hash of the entry file, which changes with every chunk that it may load. */
function releaseName(): string {
  const entry = getEntryScriptUrl() ?? ''
  return `tamngan@${__APP_VERSION__}+${/\/[^/-]*-([\w-]+)\.js$/.exec(entry)?.[1] ?? 'dev'}`
}

/**
 * Starts the error tracker: traces 100 %, replays 10 %, replays on errors 100 % (specification section 9). It collects
 * no personal data, and all outgoing text is scrubbed (R60).
 */
export function initSentry(dsn: string, router: AppRouter): void {
  Sentry.init({
    dsn,
    release: releaseName(),
    environment: import.meta.env.MODE,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    // The API does not support trace headers, and the client already distinguishes fetch errors.
    tracePropagationTargets: [],
    enhanceFetchErrorMessages: false,
    integrations: [Sentry.tanstackRouterBrowserTracingIntegration(router)],
    beforeBreadcrumb(breadcrumb, hint) {
      if (breadcrumb.category === 'fetch' && hint?.response instanceof Response) reportFailedResponse(hint.response)
      return breadcrumb
    },
    beforeSend(event, { originalException }) {
      if (!shouldReportError(originalException)) return null
      if (originalException instanceof ProblemError) {
        const { requestId, status } = originalException
        if (requestId !== undefined && reportedRequestIds.has(requestId)) return null
        event.tags = { ...event.tags, 'http.status_code': status, ...(requestId ? { request_id: requestId } : {}) }
      }
      const [first] = event.exception?.values ?? []
      return canSend(`${first?.type} ${first?.value ?? event.message}`) ? event : null
    },
    transport: (options) =>
      Sentry.makeFetchTransport(options, (url, init) =>
        send(url, init && { ...init, body: scrubSentryEnvelope(init.body as string | Uint8Array) }),
      ),
  })
  import('./sentry-replay.ts').then(
    ({ createReplayIntegration }) => Sentry.addIntegration(createReplayIntegration()),
    (error: unknown) => console.warn('Session replay could not be loaded', error),
  )
}

function reportFailedResponse(response: Response): void {
  const { status, url, headers } = response
  if (status < 500 || new URL(url).origin !== location.origin) return
  const requestId = headers.get('x-request-id')
  if (requestId) reportedRequestIds.add(requestId)
  const group = toErrorGroupPath(url)
  Sentry.captureMessage(`HTTP ${status} ${group}`, {
    level: 'error',
    fingerprint: ['failed-answer', String(status), group],
    tags: { 'http.status_code': status, ...(requestId ? { request_id: requestId } : {}) },
  })
}

export function captureError({ error, componentStack }: { error: unknown; componentStack?: string | undefined }): void {
  Sentry.captureException(error, componentStack ? { contexts: { react: { componentStack } } } : {})
}
