import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds; the report's targets (60 and 150 ms) fall on borders, the last is the query limit. */
const BUCKETS = [0.005, 0.01, 0.025, 0.06, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 15]

export type Metrics = {
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** Prometheus text. */
  text(): Promise<string>
  readonly contentType: string
}

/** Durations by route, whether the database answers, and the process itself. Each app has its own registry, so tests can make several. */
export function createMetrics(isReady: () => Promise<boolean>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  new Gauge({
    name: 'db_up',
    help: '1 when the database answers',
    registers: [registry],
    async collect() {
      this.set((await isReady()) ? 1 : 0)
    },
  })
  return {
    observe(request, reply) {
      // The pattern and not the path: a path is chosen by the client, and every new label value costs memory.
      const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')
      durations.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
