import { execFileSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { createBackup, restoreDatabaseFromFile } from '#server/jobs/backup-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { checksumTable, listBackupTables } from '#server/platform/engine/backup/backup-tables.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import {
  runPgbackrest,
  runRestoreDrill,
  startArchivingPostgres,
  waitUntilArchived,
} from '../../test/cluster/pgbackrest.ts'
import { addWatchingOrganisation } from '../data/rematch-data.ts'
import { ensureBenchData } from '../data/report-data.ts'
import { describeMachine } from '../server/machine.ts'

/**
 * Point-in-time recovery of a large database, compared with the original; also restores a backup file of the same
 * database. Split into steps because each takes minutes; the folder stores the results of earlier steps.
 *
 * Steps: `build` creates a durable, archiving PostgreSQL, loads the file (or that many generated projects) as an import
 * does and matches it for one organisation; `base` takes a full base backup (pgbackrest, encrypted); `drill` changes 1
 * % of the projects, records the sums of all tables and the time, changes and deletes more, restores that time into a
 * separate folder and compares; `file` runs `npm run backup`, encrypted; `restore` runs `npm run restore` of that file
 * into a second database; `clear` removes the folder.
 *
 * Needs pgbackrest and the PostgreSQL programs.
 *
 *   npx node bench/faults/recovery.ts STEP --dir FOLDER [--file FEED.csv | --projects 25000]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-recovery') },
    file: { type: 'string' },
    projects: { type: 'string', default: '25000' },
  },
})
const KEY = 'a passphrase of the bench'
const inFolder = (name: string) => path.join(values.dir, name)
const mb = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
const say = (line: string) => console.log(`${line}   load ${loadavg()[0]!.toFixed(1)}`)

async function timed<T>(work: () => Promise<T>): Promise<[T, string]> {
  const started = performance.now()
  const result = await work()
  return [result, `${((performance.now() - started) / 1000).toFixed(1)} s`]
}

const sizeOf = (folder: string) => Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])

async function onServer(work: (db: OpenDb, url: string) => Promise<void>): Promise<void> {
  const settings = ['shared_buffers=1GB', 'maintenance_work_mem=512MB', 'max_wal_size=8GB', 'checkpoint_timeout=15min']
  const server = await startArchivingPostgres(values.dir, settings)
  if (server === undefined) throw new Error('the PostgreSQL server programs are not installed')
  try {
    const db = createDb(await openPostgres(server.url))
    try {
      await work(db, server.url)
    } finally {
      await db.close()
    }
  } finally {
    await server.stop('fast')
  }
}

async function build(db: OpenDb): Promise<void> {
  await migrateDatabase(db)
  const [, took] = await timed(async () => {
    if (values.file === undefined) {
      await ensureBenchData(db, Number(values.projects), say)
      return
    }
    await addWatchingOrganisation(db, ['คอมพิวเตอร์', 'ถนน', 'อาหาร'])
    const { source, fingerprint } = await openFeedFile(values.file)
    const today = new Date().toISOString().slice(0, 10)
    await withDataLoadLease(db, (lease) => runDataLoad(db, lease, source, { origin: values.file!, fingerprint, today }))
  })
  const [size] = await db.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)
  const [rows] = await db.query<{ projects: number; matches: number }>(
    sql`select (select count(*) from projects) as projects, (select count(*) from project_matches) as matches`,
    { timeoutMs: 0 },
  )
  say(`build    ${took}, ${rows!.projects} projects, ${rows!.matches} matches, database ${mb(size!.bytes)}`)
}

async function base(db: OpenDb): Promise<void> {
  const [, took] = await timed(() => runPgbackrest(values.dir, ['--type=full', 'backup']))
  await db.query(sql`select pg_switch_wal()`)
  say(`base     ${took}, repository ${mb(sizeOf(inFolder('repository')))}`)
}

async function sumsOf(db: Db): Promise<Record<string, { rows: number; hash: string }>> {
  const sums: Record<string, { rows: number; hash: string }> = {}
  // One transaction without timeouts: the sum of a large table takes a minute.
  await db.transaction(
    async (tx) => {
      await tx.script("set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local work_mem = '256MB'")
      for (const table of await listBackupTables(tx)) sums[table.name] = await checksumTable(tx, table)
    },
    { idleTimeoutMs: 0 },
  )
  return sums
}

async function change(db: Db, share: number, field: string): Promise<number> {
  return await db.execute(
    sql`
      with written as (
        update projects set budget_satang = coalesce(budget_satang, 0) + 100 where hashtext(project_id || ${field}::text) % ${Math.round(1 / share)}::int = 0 returning project_id)
      insert into project_changes (project_id, load_id, field, old_value, new_value)
      select project_id, (select min(id) from loads), ${field}::text, null, 'x' from written`,
    { timeoutMs: 0 },
  )
}

async function drillIt(db: OpenDb): Promise<void> {
  const before = await change(db, 0.01, 'before')
  const [expected, summed] = await timed(() => sumsOf(db))
  const [moment] = await db.query<{ at: string }>(sql`select clock_timestamp()::text as at`)
  const after = await change(db, 0.01, 'after')
  const gone = await db.execute(sql`delete from project_matches`, { timeoutMs: 0 })
  const [, archived] = await timed(() => waitUntilArchived(db, Number.POSITIVE_INFINITY))
  say(
    `drill    changed ${before} rows before the target time, ${after} after it, ${gone} matches deleted; checksums computed in ${summed}; log archived after ${archived}`,
  )
  const done = await runRestoreDrill(values.dir, moment!.at, sumsOf)
  const tables = Object.keys(expected)
  const differing = tables.filter((name) => JSON.stringify(expected[name]) !== JSON.stringify(done.seen[name]))
  const rows = tables.reduce((sum, name) => sum + expected[name]!.rows, 0)
  say(
    `drill    files ${done.restoreSeconds.toFixed(1)} s, log ${done.replaySeconds.toFixed(1)} s; ${rows} rows of ${tables.length} tables: ` +
      (differing.length === 0 ? 'all counts and hashes equal' : `DIFFERENT in ${differing.join(', ')}`),
  )
  if (differing.length > 0) process.exitCode = 1
}

async function file(db: OpenDb): Promise<void> {
  rmSync(inFolder('backup.gz'), { force: true })
  const made = await createBackup(db, inFolder('backup.gz'), { alongside: true, key: KEY })
  say(
    `file     ${made.seconds.toFixed(1)} s, ${made.rows} rows of ${made.tables} tables, ${mb(statSync(made.file).size)}, peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  )
}

async function restore(db: OpenDb, url: string): Promise<void> {
  await db.script('drop database if exists restored')
  await db.script('create database restored')
  const to = createDb(await openPostgres(Object.assign(new URL(url), { pathname: '/restored' }).href))
  try {
    const { rows, tables, seconds } = await restoreDatabaseFromFile(to, inFolder('backup.gz'), {
      replace: false,
      key: KEY,
    })
    say(`restore  ${seconds.toFixed(1)} s, ${rows} rows of ${tables} tables, each verified`)
  } finally {
    await to.close()
    await db.script('drop database restored with (force)')
  }
}

const STEPS = { build, base, drill: drillIt, file, restore }
console.log(describeMachine(values.file === undefined ? `${values.projects} projects` : path.basename(values.file)))
const [step] = positionals
if (step === 'clear') rmSync(values.dir, { recursive: true, force: true, maxRetries: 3 })
else if (step !== undefined && step in STEPS) await onServer(STEPS[step as keyof typeof STEPS])
else throw new Error(`STEP must be one of ${[...Object.keys(STEPS), 'clear'].join(', ')}`)
