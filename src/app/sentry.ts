import * as Sentry from '@sentry/react'
import { NetworkError, ProblemError } from '#src/api/http/problem-error.ts'
import { scrubDeep } from '#src/lib/scrub.ts'
import type { AppRouter } from './router.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const NEWLINE = 10

type ItemHeader = { type?: string; length?: number }

/** Scrubs every JSON document of a payload; a replay is two of them, one a line. Throws on anything that is no JSON, which is then not sent. */
function scrubPayload(payload: string): string {
  return payload
    .split('\n')
    .map((document) => (document === '' ? '' : JSON.stringify(scrubDeep(JSON.parse(document)))))
    .join('\n')
}

/**
 * The last door before anything leaves for the error tracker: an envelope (header line, then item header and payload in
 * turn) with every text in it scrubbed and the lengths of the items corrected (R60).
 */
export function scrubEnvelope(envelope: string | Uint8Array): string {
  const bytes = typeof envelope === 'string' ? encoder.encode(envelope) : envelope
  let at = 0
  const take = (length?: number): string => {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = length === undefined ? (newline === -1 ? bytes.length : newline) : at + length
    const text = decoder.decode(bytes.subarray(at, end))
    at = end + 1
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

/** Most reports of one kind that are sent in a minute. */
const MOST_OF_A_KIND = 3
const WINDOW_MS = 60_000
/** Most reports that one page sends until it is closed. */
const MOST_OF_A_PAGE = 50

/**
 * Answers whether one more report of a kind may be sent. A render that fails in a loop, or a server that is down, is reported a few times and not
 * thousands of times.
 */
export function createReportLimit(now: () => number = Date.now): (kind: string) => boolean {
  const kinds = new Map<string, { since: number; told: number }>()
  let told = 0
  return (kind) => {
    if (told >= MOST_OF_A_PAGE) return false
    const known = kinds.get(kind)
    const current = known && now() - known.since < WINDOW_MS ? known : { since: now(), told: 0 }
    if (current.told >= MOST_OF_A_KIND) return false
    current.told += 1
    told += 1
    kinds.set(kind, current)
    return true
  }
}

/**
 * Whether an error says something of the product. A refusal (4xx) is an answer, a request given up is nobody's fault, and without a network nothing
 * can be reached, files of the product included.
 */
export function isWorthReporting(error: unknown, isOnline: boolean = navigator.onLine): boolean {
  if (error instanceof ProblemError) return error.status >= 500
  if (error instanceof NetworkError || (error as Error | undefined)?.name === 'AbortError') return false
  return isOnline || !isMissingFile(error)
}

/** What the browsers say of a file of the product that did not come. */
function isMissingFile(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error)
  return /dynamically imported module|importing a module script|preload CSS/i.test(message)
}

/** The place of an address of the API without what tells projects and people apart: kinds of failures stay few. */
export function placeOf(address: string): string {
  const { pathname } = new URL(address, location.origin)
  return pathname.replace(/(?<![^/])(?=[^/]*[\d%])[^/]+/g, (part) => (part === 'v2' ? part : '…'))
}

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
      if (breadcrumb.category === 'fetch' && hint?.response instanceof Response) reportFailedAnswer(hint.response)
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
function reportFailedAnswer(response: Response): void {
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
