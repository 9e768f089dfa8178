import type { SampleProgress } from '#contract/sample-progress.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import type { Metrics } from './metrics.ts'

/** For whoever runs the server: alive (no dependency asked), ready (database answers), Prometheus figures. */
export function operationRoutes(
  app: RouteApp,
  isReady: () => Promise<boolean>,
  metrics: Metrics,
  sampleProgress: () => SampleProgress | undefined = () => undefined,
): void {
  const schema = { hide: true } as const
  app.get('/livez', { schema }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', { schema }, async (_request, reply) => {
    const ready = await isReady()
    reply.header('cache-control', 'no-store')
    return ready
      ? reply.send({ status: 'ok', sample: sampleProgress() })
      : reply.code(503).header('retry-after', 2).send({ status: 'unavailable' })
  })
  app.get('/metrics', { schema }, async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text()),
  )
}
