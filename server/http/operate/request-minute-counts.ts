import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  REPORT_RESPONSE_TIME_BUCKETS_MS,
  type ServerMetricsForMinute,
  writeServerMetricsByMinute,
} from '#server/operation/admin/metric-minutes.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { runPeriodically } from '#server/platform/queue/run-periodically.ts'
import { createServedRequestRecorder } from '#server/platform/queue/serving-record.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'

const MINUTE_MS = 60_000
const MAX_BUFFERED_MINUTES = 60
const REPORT_ROUTE = '/api/v2/projects'
/**
 * Every open tab polls this route three times a minute, even when unattended, so polls do not count as serving users.
 */
const PULSE_ROUTE = '/api/v2/users/me/pulse'

export type RequestCountsByMinute = {
  count(response: { readonly status: number; readonly ms: number; readonly isReport: boolean }): void
  write(): Promise<void>
}

/**
 * Counts responses of this process per minute for the operator's charts, because an installation may have no
 * Prometheus. Counts in memory and writes one row a minute.
 */
export function createRequestCountsByMinute(db: Db, now: () => Date): RequestCountsByMinute {
  const name = randomUUID().slice(0, 8)
  const lag = monitorEventLoopDelay({ resolution: 20 })
  lag.enable()
  const empty = () => ({
    requests: 0,
    errors: 0,
    reportTimes: Array<number>(REPORT_RESPONSE_TIME_BUCKETS_MS.length + 1).fill(0),
  })
  let counts = empty()
  let begunAt = now()
  let waiting: ServerMetricsForMinute[] = []
  return {
    count({ status, ms, isReport }) {
      counts.requests += 1
      if (status >= 500) counts.errors += 1
      if (!isReport) return
      const bucket = REPORT_RESPONSE_TIME_BUCKETS_MS.findIndex((to) => ms <= to)
      counts.reportTimes[bucket === -1 ? REPORT_RESPONSE_TIME_BUCKETS_MS.length : bucket]! += 1
    },
    async write() {
      const loopLagMs = lag.count === 0 ? 0 : lag.percentile(99) / 1e6
      const memoryMb = Math.round(process.memoryUsage.rss() / 2 ** 20)
      waiting.push({ at: begunAt.toISOString(), process: name, ...counts, loopLagMs, memoryMb })
      waiting = waiting.slice(-MAX_BUFFERED_MINUTES)
      lag.reset()
      counts = empty()
      begunAt = now()
      const batch = waiting
      await runWithoutTenant(() => writeServerMetricsByMinute(db, batch, begunAt))
      waiting = waiting.filter((minute) => !batch.includes(minute))
    },
  }
}

export function registerRequestCountsByMinute(api: RouteApp, { db, now }: RouteContext): void {
  const minutes = createRequestCountsByMinute(db, now)
  api.addHook('onResponse', async (request, reply) => {
    const isReport = request.routeOptions.url === REPORT_ROUTE && request.method === 'GET' && reply.statusCode === 200
    minutes.count({ status: reply.statusCode, ms: reply.elapsedTime, isReport })
  })
  const schedule = runPeriodically({
    everyMs: MINUTE_MS,
    isLater: true,
    work: () => minutes.write(),
    onFailure: (error) => api.log.warn({ err: error }, 'per-minute metrics not stored yet: database write failed'),
  })
  api.addHook('onClose', () => schedule.stop())
}

/**
 * Records in the database that users are being served, so that a running load yields to them. Polls of open tabs do not
 * count.
 */
export function recordServedRequests(api: RouteApp, { db }: Pick<RouteContext, 'db'>): void {
  const note = createServedRequestRecorder(db)
  api.addHook('onResponse', async ({ routeOptions }) => {
    if (routeOptions.url !== PULSE_ROUTE) note()
  })
}
