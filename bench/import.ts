import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { publishDataLoad } from '#server/catalogue/feed/load.ts'
import type { DataLoadProgress } from '#server/catalogue/feed/load-report.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { stageDataLoad } from '#server/catalogue/feed/stage-load.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'
import { computeContentSums } from './data/content-sums.ts'
import { writeChangedRows, writeImportRows } from './data/import-rows.ts'
import { addWatchingOrganisation } from './data/rematch-data.ts'
import { getCpuSeconds } from './server/machine.ts'

/**
 * Measures how fast a file becomes projects in an empty database, end to end: read, stage, publish; without matching.
 * Without FILE it uses the competitive file of the shared data, or generated rows. PostgreSQL is the server of
 * DATABASE_URL (creates and drops its own database there) or a throwaway local one that runs without fsync. `--again`
 * loads the same file twice to measure a load without changes; `--changed` (with `--whole`) changes the budget of that
 * many rows, as one day of the feed does. `--whole` runs the full import for one organisation that watches three common
 * words, and prints the seconds per phase. `--sums` prints a checksum per table, to compare two versions.
 *
 *   npx node bench/import.ts [--engine pglite|postgres|both] [--rows 50000] [--again] [--changed 20000] [--whole] [--sums] [FILE]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'both' },
    rows: { type: 'string', default: '50000' },
    again: { type: 'boolean', default: false },
    changed: { type: 'string', default: '0' },
    whole: { type: 'boolean', default: false },
    sums: { type: 'boolean', default: false },
  },
})

const scratch = mkdtempSync(path.join(tmpdir(), 'tamngan-bench-'))
const SHARED = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')
const today = new Date().toISOString().slice(0, 10)

try {
  const file = await fileToImport()
  console.log(
    `${new Date().toISOString()}  ${path.basename(file)}, ${(statSync(file).size / 2 ** 20).toFixed(1)} MB, Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`,
  )
  if (values.engine !== 'postgres') await onPglite(file)
  if (values.engine !== 'pglite') await onPostgres(file)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function fileToImport(): Promise<string> {
  if (positionals[0] !== undefined) return positionals[0]
  if (existsSync(SHARED)) return SHARED
  const file = path.join(scratch, 'made-up.csv')
  await writeImportRows(file, Number(values.rows))
  return file
}

async function onPglite(file: string): Promise<void> {
  const db = await openDb({ dataDir: path.join(scratch, 'pglite') })
  try {
    await migrateDatabase(db)
    await measure(db, file)
  } finally {
    await db.close()
  }
}

async function onPostgres(file: string): Promise<void> {
  const localServer = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
  const server = process.env.DATABASE_URL ?? localServer?.url
  if (server === undefined) {
    console.log('postgres  SKIPPED: neither DATABASE_URL nor a local server binary')
    return
  }
  const name = `tamngan_bench_${randomBytes(4).toString('hex')}`
  const admin = createDb(await openPostgres(server))
  try {
    await admin.script(`create database ${name}`)
    const url = new URL(server)
    url.pathname = `/${name}`
    const db = createDb(await openPostgres(url.href))
    try {
      await migrateDatabase(db)
      await measure(db, file)
    } finally {
      await db.close()
    }
    await admin.script(`drop database ${name} with (force)`)
  } finally {
    await admin.close()
    await localServer?.stop()
  }
}

async function measure(db: OpenDb, file: string): Promise<void> {
  if (values.whole) await measureWhole(db, file)
  else await measurePublished(db, file)
  if (values.sums)
    for (const [table, sum] of await computeContentSums(db))
      console.log(`${db.engine.padEnd(8)}  ${table.padEnd(20)}  ${sum}`)
}

type Spent = { readonly at: number; readonly node: number; readonly database: number }

/**
 * Returns elapsed and CPU seconds so far: of this process (which includes PGlite) and of the PostgreSQL backends.
 * Backends are looked up at each reading, because idle connections are closed.
 */
async function spentUntilNow(db: OpenDb): Promise<() => Spent> {
  const [row] = await db.query<{ name: string }>(sql`select current_database() as name`)
  const seconds = new Map<string, number>()
  const sampleBackends = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))) {
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(` ${row!.name} `))
          seconds.set(pid, getCpuSeconds(Number(pid)))
      } catch {
        // The process has ended meanwhile, so its last reading counts.
      }
    }
  }
  return () => {
    if (db.engine === 'postgres') sampleBackends()
    const { user, system } = process.cpuUsage()
    const database = [...seconds.values()].reduce((sum, used) => sum + used, 0)
    return { at: performance.now() / 1000, node: (user + system) / 1e6, database }
  }
}

function between(from: Spent, to: Spent): string {
  return `${(to.at - from.at).toFixed(1)} s (node ${(to.node - from.node).toFixed(1)}, database ${(to.database - from.database).toFixed(1)})`
}

async function measureWhole(db: OpenDb, file: string): Promise<void> {
  await addWatchingOrganisation(db, ['คอมพิวเตอร์', 'ถนน', 'อาหาร'])
  const read = await measureRun(db, 'new', file)
  if (values.again) await measureRun(db, 'again', file)
  if (Number(values.changed) > 0) {
    const some = path.join(scratch, 'changed.csv')
    await writeChangedRows(file, some, Math.floor(read / Number(values.changed)))
    await measureRun(db, 'changed', some)
  }
}

async function measureRun(db: OpenDb, run: string, file: string): Promise<number> {
  const { source, fingerprint } = await openFeedFile(file)
  const spent = await spentUntilNow(db)
  const began = spent()
  const ends = new Map<DataLoadProgress['phase'], Spent>()
  const onProgress = ({ phase }: DataLoadProgress) => ends.set(phase, spent())
  const report = await withDataLoadLease(db, (lease) =>
    runDataLoad(db, lease, source, { origin: file, fingerprint, today, onProgress }),
  )
  const ended = spent()
  const marks = [began, ...ends.values()]
  const phases = [...ends].map(([phase, end], i) => `${phase.padEnd(10)} ${between(marks[i]!, end)}`)
  console.log(
    `${db.engine}  ${run}  ${report.read} rows, new ${report.newProjects}, updated ${report.updatedProjects}, matched ${report.matched}, load ${loadavg()[0]!.toFixed(1)}`,
  )
  for (const line of [...phases, `rest       ${between(marks.at(-1)!, ended)}`]) console.log(`  ${line}`)
  const seconds = ended.at - began.at
  console.log(`  all        ${between(began, ended)}, ${Math.round(report.read / seconds)} rows/s`)
  return report.read
}

async function measurePublished(db: OpenDb, file: string): Promise<void> {
  for (const run of values.again ? ['new  ', 'again'] : ['new  ']) {
    const started = performance.now()
    const { source, fingerprint } = await openFeedFile(file)
    const staged = await stageDataLoad(db, source, { origin: file, fingerprint })
    const stagedAt = performance.now()
    const published = await db.transaction((tx) => publishDataLoad(tx, staged.loadId, { today }), { idleTimeoutMs: 0 })
    const ended = performance.now()
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    console.log(
      `${db.engine.padEnd(8)}  ${run}  ${staged.read} rows = ${staged.staged} staged + ${staged.quarantined} quarantined  ` +
        `new ${published.newProjects}, updated ${published.updatedProjects}, unchanged ${published.unchangedProjects}  ` +
        `stage ${seconds(stagedAt - started)} s, publish ${seconds(ended - stagedAt)} s  ` +
        `${Math.round(staged.read / ((ended - started) / 1000))} rows/s`,
    )
  }
}
