import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import type { ExportFormat } from '#contract/report/report-export.ts'
import { createExportJob } from '#server/jobs/export-job.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { runDueJobs } from '#server/platform/queue/job-worker.ts'
import { findExport } from '#server/report/export/queries.ts'
import { requestExport } from '../test/exports.ts'
import { type BenchScope, ensureBenchData } from './data/report-data.ts'
import { withBenchPostgres } from './server/bench-postgres.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Runs the real report export job: all 25 columns, from the queued row to the last stored part. "Growth" is the peak
 * resident memory during the export minus that before it, measured after a first small file; with PGlite the database
 * and its page cache live in the same process. "Block" is the longest time the event loop was blocked; on a shared
 * machine that includes other processes' time slices, so CPU time is printed too. Exits with 1 when the export takes
 * more than 30 s or its growth exceeds 300 MB.
 *
 *   npx node bench/export.ts [--engine pglite|postgres|both] [--rows 100000] [--projects 300000] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    rows: { type: 'string', default: '100000' },
    projects: { type: 'string', default: '300000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-export') },
  },
})
const MAX_SECONDS = 30
const MAX_GROWTH_MB = 300
const rows = Number(values.rows)
const projects = Number(values.projects)
const say = (text: string) => console.error(text)
const log = { info: () => undefined, warn: console.error, error: console.error }

console.log(describeMachine(`${rows} rows x ${REPORT_COLUMNS.length} columns`))
if (values.engine !== 'pglite') await withBenchPostgres('tamngan_bench_export', say, measureAll)
if (values.engine !== 'postgres') await measureAll(() => openDb({ dataDir: path.join(values.dir, String(projects)) }))

async function measureAll(open: () => Promise<OpenDb>): Promise<void> {
  const db = await open()
  await migrateDatabase(db)
  const scope = (await ensureBenchData(db, projects, say)).at(-1)!
  await makeFile(db, scope, 'xlsx', Math.min(rows, 5_000))
  for (const format of ['xlsx', 'csv'] as const) await measure(db, scope, format)
  await db.close()
}

async function makeFile(db: OpenDb, scope: BenchScope, format: ExportFormat, maxRows: number): Promise<number> {
  await db.execute(sql`delete from report_exports`)
  const columns = REPORT_COLUMNS.map(({ field }) => field)
  const { organisationId, userId } = scope
  const id = await requestExport(db, { organisationId, userId, format, columns, at: new Date() })
  await runDueJobs({ db, kinds: [createExportJob(maxRows)], parts: undefined, log, now: () => new Date() })
  const made = await findExport(db, userId, id)
  if (made?.state !== 'done' || made.done !== maxRows) throw new Error(`not made: ${JSON.stringify(made)}`)
  return made.bytes!
}

function secondsOf({ user, system }: NodeJS.CpuUsage): string {
  return ((user + system) / 1e6).toFixed(1)
}

async function measure(db: OpenDb, scope: BenchScope, format: ExportFormat): Promise<void> {
  const before = process.memoryUsage().rss
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = performance.now()
  const [spent, onLoop] = [process.cpuUsage(), process.threadCpuUsage()]
  const bytes = await makeFile(db, scope, format, rows)
  const seconds = (performance.now() - started) / 1000
  delay.disable()
  clearInterval(watch)
  const cpu = process.cpuUsage(spent)
  const loop = process.threadCpuUsage(onLoop)
  const growth = (peak - before) / 2 ** 20
  const isWithin = seconds <= MAX_SECONDS && growth <= MAX_GROWTH_MB
  console.log(
    `${db.engine.padEnd(8)} ${format.padEnd(4)}  ${seconds.toFixed(1).padStart(5)} s   ${(bytes / 2 ** 20).toFixed(1).padStart(5)} MB file   growth ${growth.toFixed(0).padStart(4)} MB (peak ${(peak / 2 ** 20).toFixed(0)})   block max ${(delay.max / 1e6).toFixed(0)} ms, p99.9 ${(delay.percentile(99.9) / 1e6).toFixed(0)} ms   cpu ${secondsOf(cpu)} s, of which event loop ${secondsOf(loop)} s   load ${loadavg()[0]!.toFixed(1)}   ${isWithin ? 'ok' : 'OVER THE LIMIT'}`,
  )
  if (!isWithin) process.exitCode = 1
}
