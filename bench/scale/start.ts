import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../../test/world/seeded.ts'
import { fetchMetrics } from '../server/figures.ts'
import type { Caller } from '../server/load-database.ts'
import { getLoadServerSettings, openLoadData } from '../server/load-server.ts'
import { computePercentile, createSender, isSuccessful, runTraffic, type Sample } from '../server/load-traffic.ts'
import { describeMachine, getCpuSeconds } from '../server/machine.ts'
import { startServerProcess } from '../server/own-server.ts'

/**
 * Measures a start with a full database: seconds until `/readyz` returns 200, until the report's columns are in memory,
 * and what they cost. With `--rate`, users send requests from the start, and the results are shown per five seconds.
 * `--rate` is in user operations per second (1.8 requests each), as in `bench/load.ts`, whose data it uses.
 * `--database`: another database of this product, e.g. the one that `bench/companies.ts` keeps; it has no bench users,
 * so no requests are sent.
 *
 *   npx node bench/scale/start.ts [--rate 0] [--seconds 60] [--projects 1000000] [--dir FOLDER] [--database URL] [--port 4334]
 */
const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '60' },
    projects: { type: 'string', default: '1000000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-load') },
    database: { type: 'string' },
    port: { type: 'string', default: '4334' },
  },
})
const POLL_INTERVAL_MS = 100
const STRETCH_MS = 5_000

type Data = { readonly url: string; readonly callers: readonly Caller[]; close(): Promise<void> }

console.log(describeMachine())
const data: Data = values.database
  ? { url: values.database, callers: [], close: async () => undefined }
  : await openLoadData({ dir: values.dir, projects: values.projects, usersEach: 20 })
const scratch = mkdtempSync(path.join(tmpdir(), 'tamngan-bench-start-'))
const server = await startServerProcess(values.port, scratch, {
  ...getLoadServerSettings(data.url),
  METRICS: 'open',
  RATE_LIMIT_FACTOR: '1',
})
const sender = createSender(server.base)
try {
  const readyAt = performance.now()
  const there = columnsThere(readyAt)
  const rate = data.callers.length > 0 ? Number(values.rate) : 0
  const traffic =
    rate > 0
      ? runTraffic(sender, data.callers, { rate, seconds: Number(values.seconds), dice: createSeededRandom(8) })
      : []
  console.log(`ready after ${(server.readyAfterMs / 1000).toFixed(1)} s`)
  const { seconds, projects, megabytes } = await there
  const computed = getCpuSeconds(server.pid) - server.readyComputedMs / 1000
  console.log(
    `columns of ${projects} projects ${seconds.toFixed(1)} s later, CPU time of the server ${computed.toFixed(1)} s; ${megabytes.toFixed(0)} MB`,
  )
  const samples = await traffic
  if (samples.length > 0) console.log(inStretches(samples))
} finally {
  sender.close()
  await server.stop()
  await data.close()
  rmSync(scratch, { recursive: true, force: true })
}

async function columnsThere(since: number): Promise<{ seconds: number; projects: number; megabytes: number }> {
  for (;;) {
    const figure = await fetchMetrics(server.base)
    const projects = figure('report_memory_projects')
    if (Number.isNaN(projects)) throw new Error('/metrics does not report the memory of the report')
    const seconds = (performance.now() - since) / 1000
    if (projects > 0) return { seconds, projects, megabytes: figure('report_memory_bytes') / 2 ** 20 }
    await sleep(POLL_INTERVAL_MS)
  }
}

function inStretches(samples: readonly Sample[]): string {
  const stretches = Object.entries(Object.groupBy(samples, ({ at }) => Math.floor(at / STRETCH_MS)))
  return stretches
    .map(([number, some = []]) => {
      const good = some.filter(isSuccessful)
      const [p50, p99] = [0.5, 0.99].map((share) => computePercentile(good, share).toFixed(0))
      const statuses = Object.entries(Object.groupBy(some, ({ status }) => status))
        .map(([status, these = []]) => `${status}: ${these.length}`)
        .join(', ')
      return `  from ${((Number(number) * STRETCH_MS) / 1000).toFixed(0).padStart(3)} s  answered p50 / p99 ${p50} / ${p99} ms; ${statuses}`
    })
    .join('\n')
}
