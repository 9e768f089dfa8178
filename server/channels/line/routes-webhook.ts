import { validateSignature } from '@line/bot-sdk'
import { runUntilDeadline } from '#server/platform/engine/deadline.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { parseLineEvents } from './line-event.ts'
import { storeLineEvents } from './line-event-queries.ts'
import { createLineIdProtector } from './line-identity.ts'
import type { LineSettings } from './line-settings.ts'

const MAX_BODY_BYTES = 256 * 1024
/** Respond within this time: LINE times out after some seconds and redelivers. */
const RESPONSE_TIMEOUT_MS = 1_000

/**
 * POST /line/webhook: events from LINE, signed over the raw bytes with the channel secret. Stores them and responds at
 * once; jobs process them. 404 if LINE is not configured; 503 if the database does not respond in time, whereupon LINE
 * redelivers and events are deduplicated.
 */
export function lineWebhookRoutes(
  app: RouteApp,
  {
    db,
    now,
    line,
    secrets,
  }: RouteContext & { readonly line: LineSettings | undefined; readonly secrets: readonly [string, ...string[]] },
): void {
  const identity = createLineIdProtector(secrets)
  app.register(async (scope: RouteApp) => {
    // The signature covers the raw bytes, so the body must not be parsed.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(
      '/line/webhook',
      {
        config: { public: true },
        bodyLimit: MAX_BODY_BYTES,
        schema: { tags: ['line'], summary: 'Receive events about users and groups, signed by LINE' },
      },
      async (request) => {
        if (!line) throw new ProblemError('not_found')
        const signature = request.headers['x-line-signature']
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        // The SDK compares signatures in constant time.
        if (typeof signature !== 'string' || !validateSignature(body, line.channelSecret, signature))
          throw new ProblemError('forbidden')
        const events = parseLineEvents(body.toString('utf8'), now())
        if (!events) throw new ProblemError('bad_input')
        const received = events.map((event) => ({
          id: event.id,
          key: identity.hash(event.group ?? event.person ?? event.id).slice(0, 16),
          sealed: identity.seal(JSON.stringify(event)),
        }))
        const stored = await runUntilDeadline(RESPONSE_TIMEOUT_MS, () => storeLineEvents(db, received, now()))
        if (stored === 'full') throw new ProblemError('unavailable', { retryAfterSeconds: 60 })
        return {}
      },
    )
  })
}
