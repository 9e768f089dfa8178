import * as Sentry from '@sentry/react'
import type { AppRouter } from './router.ts'
import { scrubEnvelope } from './scrub-envelope.ts'

const send = window.fetch.bind(window)

/** Starts the error tracker: traces 100 %, replays 10 %, on an error 100 % (specification section 9). Nothing personal is collected, and what could slip into a text is scrubbed on its way out (R60). */
export function initSentry(dsn: string, router: AppRouter): void {
  Sentry.init({
    dsn,
    environment: import.meta.env.MODE,
    tracesSampleRate: 1,
    replaysSessionSampleRate: 0.1,
    replaysOnErrorSampleRate: 1,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    integrations: [Sentry.tanstackRouterBrowserTracingIntegration(router)],
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

export function capture({ error, componentStack }: { error: unknown; componentStack?: string | undefined }): void {
  Sentry.captureException(error, componentStack ? { contexts: { react: { componentStack } } } : {})
}
