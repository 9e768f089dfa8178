import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectionCounts, Db } from '#server/engine/db.ts'
import type { ReplicaFigures, Replicas } from '#server/engine/replicas.ts'
import { asOwner } from '#server/engine/tenant.ts'
import { CHANNEL_GAUGES, type ChannelFigures, readChannelFigures } from '#server/features/channel/figures.ts'
import { type LastLoad, readLastLoad } from '#server/features/feed/queries-load.ts'
import { type IntakeFigures, readIntakeFigures } from '#server/features/intake/figures.ts'
import type { MemoryFigures } from '#server/features/report/memory/report-memory.ts'
import { readWebhookFigures, type WebhookFigures } from '#server/features/webhook/figures.ts'
import { type JobFigures, readJobFigures } from '#server/queue/figures.ts'
import type { TurnCounts } from '../limit/fair-turns.ts'
import { createViolationCounter } from './policy-reports.ts'

/** Seconds; the report's targets (60 and 150 ms) fall on borders, the last is the query limit. */
const BUCKETS = [0.005, 0.01, 0.025, 0.06, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 15]
/** The database is asked for its figures at most this often, however many scrape. */
const KEPT_MS = 10_000

export type Metrics = {
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** One report that the Content Security Policy kept something out. */
  countViolation(directive: string): void
  /** Prometheus text. Never fails: figures that the database does not answer are left out. */
  text(): Promise<string>
  readonly contentType: string
}

export type MetricsParts = {
  readonly db: Db & { connections?(): ConnectionCounts }
  isReady(): Promise<boolean>
  /** Names of the kinds of jobs that are counted. */
  readonly jobKinds: readonly string[]
  /** Absent where no requests are answered. */
  turns?(): TurnCounts
  /** Absent where the report is answered by SQL alone. */
  memory?(): MemoryFigures
  /** Absent where there are none. */
  readonly replicas?: Pick<Replicas, 'figures' | 'passedOver'> | undefined
}

/**
 * Durations by route, what waits, jobs, and the process itself; of no organisation, user or project. Each app has its own registry, so tests can
 * make several. `docs/operations.md` says what to watch.
 */
export function createMetrics({ db, isReady, jobKinds, turns, memory, replicas }: MetricsParts): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Ahead of what asks the database for this scrape itself.
  countConnections(registry, db)
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
  if (turns) countTurns(registry, turns)
  if (memory) countMemory(registry, memory)
  if (replicas) countReplicas(registry, replicas)
  addJobMetrics(registry, db, jobKinds)
  return {
    observe(request, reply) {
      // The pattern and not the path: a path is chosen by the client, and every new label value costs memory.
      const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')
      durations.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    },
    countViolation: createViolationCounter(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function countConnections(registry: Registry, db: MetricsParts['db']): void {
  new Gauge({
    name: 'db_connections',
    help: 'Connections of this process that are held, and work that waits for one (PGlite: turns of its session)',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(db.connections?.() ?? {})) this.set({ state }, count)
    },
  })
}

function countTurns(registry: Registry, turns: () => TurnCounts): void {
  new Gauge({
    name: 'turns',
    help: 'Costly requests that are worked on, and that wait for the turn of their organisation',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      const { running, waiting } = turns()
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'turns_refused',
    help: 'Costly requests refused since the start: too many of one organisation waited, or the turn did not come in time',
    labelNames: ['reason'] as const,
    registers: [registry],
    collect() {
      for (const [reason, count] of Object.entries(turns().refused)) this.set({ reason }, count)
    },
  })
}

/** Replicas by their place among the addresses, which may hold a password. */
function countReplicas(registry: Registry, { figures, passedOver }: NonNullable<MetricsParts['replicas']>): void {
  const of = (name: string, help: string, pick: (figures: ReplicaFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['replica'] as const,
      registers: [registry],
      collect() {
        for (const [place, each] of figures().entries()) this.set({ replica: String(place + 1) }, pick(each))
      },
    })
  of('replica_up', '1 when the replica answers and is one', ({ isUp }) => Number(isUp))
  of('replica_lag_bytes', 'What the replica has not replayed of the log', ({ lagBytes }) => lagBytes)
  of('replica_answers', 'Answers that the replica gave since the start', ({ answers }) => answers)
  of(
    'replica_repeated',
    'Statements that the primary repeated since the start: the replica died, or could not',
    (each) => each.repeated,
  )
  new Gauge({
    name: 'replica_passed_over',
    help: 'Answers that the primary gave since the start because no replica was new enough',
    registers: [registry],
    collect() {
      this.set(passedOver())
    },
  })
}

function countMemory(registry: Registry, memory: () => MemoryFigures): void {
  const held = (name: string, help: string, pick: (figures: MemoryFigures) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(pick(memory()))
      },
    })
  held('report_memory_bytes', 'What the columns of the report and the matches take', ({ bytes }) => bytes)
  held('report_memory_projects', 'Projects in memory; 0 while they are being read', ({ projects }) => projects)
  held('report_memory_organisations', 'Organisations whose matches are in memory', ({ organisations }) => organisations)
  new Gauge({
    name: 'report_answers',
    help: 'Pages and facets of the report since the start, by where they were answered from',
    labelNames: ['by'] as const,
    registers: [registry],
    collect() {
      for (const [by, count] of Object.entries(memory().answered)) this.set({ by }, count)
    },
  })
}

type Figures = {
  readonly jobs: readonly JobFigures[]
  readonly lastLoad: LastLoad | undefined
  readonly intake: readonly IntakeFigures[]
  readonly channels: readonly ChannelFigures[]
  readonly webhooks: WebhookFigures
}

function addJobMetrics(registry: Registry, db: Db, kinds: readonly string[]): void {
  let askedAt = Number.NEGATIVE_INFINITY
  let kept: Promise<Figures | undefined> = Promise.resolve(undefined)
  async function read(): Promise<Figures> {
    return {
      jobs: await readJobFigures(db, kinds),
      lastLoad: await readLastLoad(db),
      intake: await readIntakeFigures(db),
      channels: await readChannelFigures(db),
      webhooks: await readWebhookFigures(db),
    }
  }
  function figures(): Promise<Figures | undefined> {
    const at = performance.now()
    if (at - askedAt > KEPT_MS) {
      askedAt = at
      kept = asOwner(read).catch(() => undefined)
    }
    return kept
  }
  const jobGauge = (name: string, help: string, pick: (job: JobFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['job'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        for (const job of (await figures())?.jobs ?? []) this.set({ job: job.job }, pick(job))
      },
    })
  jobGauge('jobs_waiting', 'Jobs that are due or at work', ({ waiting }) => waiting)
  jobGauge('jobs_oldest_seconds', 'How long the oldest of them has been due', ({ oldestSeconds }) => oldestSeconds)
  jobGauge('jobs_running', 'Jobs at work', ({ running }) => running)
  jobGauge('jobs_retried', 'Open jobs that failed at least once', ({ retried }) => retried)
  jobGauge('jobs_dead', 'Jobs given up within the last day', ({ dead }) => dead)
  jobGauge('jobs_done_last_hour', 'Jobs that ended well within the last hour', ({ doneLastHour }) => doneLastHour)
  jobGauge('jobs_mean_seconds', 'How long these took on average', ({ meanSeconds }) => meanSeconds)
  const loadGauge = (name: string, help: string, pick: (load: LastLoad) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const load = (await figures())?.lastLoad
        this.set(load ? pick(load) : Number.NaN)
      },
    })
  loadGauge(
    'load_published_timestamp_seconds',
    'When the newest load was published, Unix time; NaN when there is none',
    (load) => new Date(load.publishedAt).getTime() / 1000,
  )
  loadGauge('load_duration_seconds', 'How long the newest load took', (load) => load.seconds)
  for (const [name, help, pick] of CHANNEL_GAUGES)
    new Gauge({
      name,
      help,
      labelNames: ['channel'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        for (const each of (await figures())?.channels ?? []) this.set({ channel: each.channel }, pick(each))
      },
    })
  const webhookGauge = (
    name: string,
    help: string,
    pick: (webhooks: WebhookFigures) => Readonly<Record<string, number>>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['state'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        const webhooks = (await figures())?.webhooks
        for (const [state, count] of Object.entries(webhooks ? pick(webhooks) : {})) this.set({ state }, count)
      },
    })
  webhookGauge('webhooks', 'Webhooks that send, are switched off, or paused themselves', ({ webhooks }) => webhooks)
  webhookGauge(
    'webhook_deliveries',
    'Deliveries that wait, arrived within the last hour, were given up within the last day; tries of the last hour that failed',
    ({ deliveries, failedTries }) => ({ ...deliveries, failed_last_hour: failedTries }),
  )
  const intakeGauge = (name: string, help: string, pick: (source: IntakeFigures) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'] as const,
      registers: [registry],
      async collect() {
        this.reset()
        for (const source of (await figures())?.intake ?? []) this.set({ source: source.source }, pick(source))
      },
    })
  intakeGauge('intake_halted', '1 when the other side said no and an operator has to look', ({ isHalted }) =>
    isHalted ? 1 : 0,
  )
  intakeGauge(
    'intake_full_night_timestamp_seconds',
    'When all questions of a night had been asked last, Unix time; before the first, when the source was first asked',
    ({ fullNightSeconds }) => fullNightSeconds,
  )
  intakeGauge('intake_requests', 'Requests of the newest night', ({ requests }) => requests)
  intakeGauge('intake_failed_requests', 'Of these, timeouts and refusals', ({ failed }) => failed)
  intakeGauge(
    'intake_new_items',
    'Announcements, or projects of files, that the newest night brought',
    ({ newItems }) => newItems,
  )
  intakeGauge('intake_waiting', 'Questions or files of the newest night that wait', ({ waiting }) => waiting)
  intakeGauge(
    'intake_missing_items',
    'Announcements of the last 30 days that could not be had, or files',
    ({ missing }) => missing,
  )
}
