import { createHash, timingSafeEqual } from 'node:crypto'
import type { DemoDataProgress } from '#contract/readiness.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { MetricsAccess } from '../http-settings.ts'
import type { ServerMetrics } from './create-metrics.ts'

const schema = { hide: true } as const

type HealthChecks = {
  readonly isDiskFull?: (() => Promise<boolean>) | undefined
  readonly areDocumentsThere?: (() => Promise<boolean>) | undefined
  readonly synchronousStandbys?: (() => Promise<string | undefined>) | undefined
  readonly isReadOnly?: (() => boolean) | undefined
  readonly sampleProgress?: (() => DemoDataProgress | undefined) | undefined
}

export function operationRoutes(
  app: RouteApp,
  isReady: () => Promise<boolean>,
  {
    isDiskFull = async () => false,
    areDocumentsThere = async () => true,
    synchronousStandbys = async () => undefined,
    isReadOnly = () => false,
    sampleProgress = () => undefined,
  }: HealthChecks = {},
): void {
  app.get('/livez', { schema }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', { schema }, async (_request, reply) => {
    const full = await isDiskFull()
    const [isDatabaseUp, isStoreUp] = await Promise.all([isReady(), areDocumentsThere()])
    const ready = !full && isDatabaseUp
    reply.header('cache-control', 'no-store')
    if (!isDatabaseUp && !full && isReadOnly()) return reply.send({ status: 'read_only' })
    return ready
      ? reply.send({
          status: 'ok',
          sample: sampleProgress(),
          documents: isStoreUp ? undefined : 'unavailable',
          synchronous_standbys: await synchronousStandbys(),
        })
      : reply
          .code(503)
          .header('retry-after', 2)
          .send({ status: full ? 'disk_full' : 'unavailable' })
  })
}

export function registerMetricsRoute(app: RouteApp, metrics: ServerMetrics, access: MetricsAccess = 'closed'): void {
  if (access === 'closed') return
  app.get('/metrics', { schema }, async (request, reply) => {
    if (access !== 'open' && !isBearer(request.headers.authorization, access.token))
      throw new ProblemError('session_invalid')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text())
  })
}

/** Compares hashes of equal length in constant time, so that timing does not reveal the token. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(authorization ?? ''), hash(`Bearer ${token}`))
}

const EXPIRES_DAYS = 180

/**
 * Serves `/.well-known/security.txt` (RFC 9116), unless the operator configured no contact. Generated per request, so
 * it never expires while the server runs.
 */
export function registerSecurityTxtRoute(
  app: RouteApp,
  { contactUrl, publicUrl, now }: { contactUrl?: string | undefined; publicUrl?: string | undefined; now(): Date },
): void {
  if (contactUrl === undefined) return
  app.get('/.well-known/security.txt', { schema }, async (_request, reply) => {
    const expires = new Date(now().getTime() + EXPIRES_DAYS * 86_400_000)
    const lines = [
      `Contact: ${contactUrl}`,
      `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
      'Preferred-Languages: th, en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${new URL('/.well-known/security.txt', publicUrl).href}`]),
    ]
    return reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
}
