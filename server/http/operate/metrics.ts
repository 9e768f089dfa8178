import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectionCounts, Db } from '#server/platform/engine/db.ts'
import type { ReplicaFigures, Replicas } from '#server/platform/engine/replicas.ts'
import type { MemoryFigures } from '#server/report/memory/report-memory.ts'
import type { TurnCounts } from '../limit/fair-turns.ts'
import { addDatabaseMetrics } from './database-metrics.ts'
import { createViolationCounter } from './policy-reports.ts'

/** Seconds; the report's targets (60 and 150 ms) fall on borders, the last is the query limit. */
const BUCKETS = [0.005, 0.01, 0.025, 0.06, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 15]

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
  /** Where files lie, and the embedded database: its disk is looked at. */
  readonly filesDir?: string | undefined
  /** Absent where there are none. */
  readonly replicas?: Pick<Replicas, 'figures' | 'passedOver'> | undefined
}

/**
 * Durations by route, what waits, jobs, and the process itself; of no organisation, user or project. Each app has its own registry, so tests can
 * make several. `docs/operations.md` says what to watch.
 */
export function createMetrics({ db, isReady, jobKinds, turns, memory, replicas, filesDir }: MetricsParts): Metrics {
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
  addDatabaseMetrics(registry, db, jobKinds)
  if (filesDir !== undefined) measureDisk(registry, filesDir)
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

/** Of the folder, or of what it will be made in. The disk of a PostgreSQL elsewhere is its machine's to tell. */
function measureDisk(registry: Registry, folder: string): void {
  const gauge = (name: string, help: string, pick: (of: { bavail: number; blocks: number; bsize: number }) => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const disk = await statfs(folder)
          .catch(() => statfs(path.dirname(folder)))
          .catch(() => undefined)
        if (disk) this.set(pick(disk))
        else this.remove()
      },
    })
  gauge('data_disk_free_bytes', 'Room on the disk of DATA_DIR', ({ bavail, bsize }) => bavail * bsize)
  gauge('data_disk_size_bytes', 'Size of the disk of DATA_DIR', ({ blocks, bsize }) => blocks * bsize)
}
