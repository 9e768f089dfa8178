import { statfs } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FairRequestSchedulerCounts } from '#server/http/limit/fair-turn-scheduler.ts'
import type { DatabaseReplicaMetrics, DatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import type { ConnectionCounts, Db } from '#server/platform/engine/db.ts'
import type { ReportMemory } from '#server/report/report-engine.ts'
import { createCspViolationCounter } from './csp-reports.ts'
import { addDatabaseMetrics } from './database-metrics.ts'

type ReportMemoryStats = ReturnType<ReportMemory['stats']>

/**
 * Histogram buckets in seconds. The report's targets (60 and 150 ms) are bucket borders, and the last is the query
 * limit.
 */
const BUCKETS = [0.005, 0.01, 0.025, 0.06, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 15]

export type ServerMetrics = {
  observe(request: FastifyRequest, reply: FastifyReply): void
  countViolation(directive: string): void
  text(): Promise<string>
  readonly contentType: string
}

export type ServerMetricsDependencies = {
  readonly db: Db & { connections?(): ConnectionCounts }
  isReady(): Promise<boolean>
  readonly jobKinds: readonly string[]
  turns?(): FairRequestSchedulerCounts
  memory?(): ReportMemoryStats
  readonly filesDir?: string | undefined
  readonly replicas?: Pick<DatabaseReplicas, 'figures' | 'primaryFallbacks'> | undefined
}

/**
 * Collects durations by route, queues, jobs and process figures, but nothing about organisations, users or projects.
 * Each app has its own metrics registry, so that tests can create several. `docs/operations.md` lists what to monitor.
 */
export function createServerMetrics({
  db,
  isReady,
  jobKinds,
  turns,
  memory,
  replicas,
  filesDir,
}: ServerMetricsDependencies): ServerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Register before the collectors that query the database for a scrape, so that their connections do not count.
  countConnections(registry, db)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of the response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  })
  new Gauge({
    name: 'db_up',
    help: '1 if the database responds',
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
      // Label with the route pattern, not the path: clients choose paths, and every new label value costs memory.
      const route = request.is404 ? 'unmatched' : (request.routeOptions.url ?? 'unmatched')
      durations.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    },
    countViolation: createCspViolationCounter(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

function countConnections(registry: Registry, db: ServerMetricsDependencies['db']): void {
  new Gauge({
    name: 'db_connections',
    help: 'Connections of this process in use, and work waiting for one (PGlite: turns of its single session)',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(db.connections?.() ?? {})) this.set({ state }, count)
    },
  })
}

function countTurns(registry: Registry, turns: () => FairRequestSchedulerCounts): void {
  new Gauge({
    name: 'turns',
    help: 'Costly requests that are running, and that wait for the turn of their organisation',
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
    help: 'Costly requests refused since the start: too many of one organisation were waiting, or the turn did not come in time',
    labelNames: ['reason'] as const,
    registers: [registry],
    collect() {
      for (const [reason, count] of Object.entries(turns().refused)) this.set({ reason }, count)
    },
  })
}

/** Adds metrics of the replicas, labelled by index because their URLs may contain a password. */
function countReplicas(
  registry: Registry,
  { figures, primaryFallbacks }: NonNullable<ServerMetricsDependencies['replicas']>,
): void {
  const replicaGauge = (name: string, help: string, pick: (figures: DatabaseReplicaMetrics) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['replica'] as const,
      registers: [registry],
      collect() {
        for (const [index, replica] of figures().entries()) this.set({ replica: String(index + 1) }, pick(replica))
      },
    })
  replicaGauge('replica_up', '1 if the replica responds and is a replica', ({ isUp }) => Number(isUp))
  replicaGauge('replica_lag_bytes', 'Bytes of WAL that the replica has not replayed yet', ({ lagBytes }) => lagBytes)
  replicaGauge('replica_answers', 'Queries answered by the replica since the start', ({ answers }) => answers)
  replicaGauge(
    'replica_repeated',
    'Statements repeated on the primary since the start because the replica died or could not run them',
    (replica) => replica.repeated,
  )
  new Gauge({
    name: 'replica_passed_over',
    help: 'Queries answered by the primary since the start because no replica was fresh enough',
    registers: [registry],
    collect() {
      this.set(primaryFallbacks())
    },
  })
}

function countMemory(registry: Registry, memory: () => ReportMemoryStats): void {
  const memoryGauge = (name: string, help: string, pick: (figures: ReportMemoryStats) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(pick(memory()))
      },
    })
  memoryGauge('report_memory_bytes', 'Bytes used by the report columns and the matches in memory', ({ bytes }) => bytes)
  memoryGauge('report_memory_projects', 'Projects in memory; 0 while they are being loaded', ({ projects }) => projects)
  memoryGauge(
    'report_memory_organisations',
    'Organisations whose matches are in memory',
    ({ organisations }) => organisations,
  )
  new Gauge({
    name: 'report_answers',
    help: 'Report pages and facets answered since the start, by source',
    labelNames: ['by'] as const,
    registers: [registry],
    collect() {
      for (const [by, count] of Object.entries(memory().answered)) this.set({ by }, count)
    },
  })
}

/**
 * Measures the disk of the folder, or of its parent before the folder exists. A remote PostgreSQL must be monitored on
 * its own machine.
 */
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
  gauge('data_disk_free_bytes', 'Free bytes on the disk of DATA_DIR', ({ bavail, bsize }) => bavail * bsize)
  gauge('data_disk_size_bytes', 'Size of the disk of DATA_DIR in bytes', ({ blocks, bsize }) => blocks * bsize)
}
