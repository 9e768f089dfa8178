import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { createBackup, restoreDatabaseFromFile } from '#server/jobs/backup-file.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'
import { ensureBenchData } from './data/report-data.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Runs backup and restore as their commands do, with this many projects: size, time, and how long a server with the
 * embedded database is blocked. Uses the PostgreSQL server of DATABASE_URL (creates and drops its own databases there)
 * or a throwaway local one that runs without fsync.
 *
 *   npx node bench/backup.ts [--engine pglite|postgres|both] [--projects 25000] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    projects: { type: 'string', default: '25000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-backup') },
  },
})
const projects = Number(values.projects)
const say = (line: string) => console.error(line)

rmSync(values.dir, { recursive: true, force: true })
mkdirSync(values.dir, { recursive: true })
console.log(describeMachine(`${projects} projects`))
try {
  if (values.engine !== 'postgres')
    await measure(
      () => openDb({ dataDir: path.join(values.dir, 'from') }),
      () => openDb({ dataDir: path.join(values.dir, 'to') }),
    )
  if (values.engine !== 'pglite') await onPostgres()
} finally {
  rmSync(values.dir, { recursive: true, force: true })
}

async function onPostgres(): Promise<void> {
  const localServer = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
  const server = process.env.DATABASE_URL ?? localServer?.url
  if (server === undefined) {
    console.log('postgres  SKIPPED: neither DATABASE_URL nor a local server binary')
    return
  }
  const admin = createDb(await openPostgres(server))
  const names = ['from', 'to'].map((name) => `tamngan_bench_${name}_${randomBytes(4).toString('hex')}`)
  for (const name of names) await admin.script(`create database ${name}`)
  const open = (name: string) => async () => {
    const url = new URL(server)
    url.pathname = `/${name}`
    return createDb(await openPostgres(url.href))
  }
  try {
    await measure(open(names[0]!), open(names[1]!))
  } finally {
    for (const name of names) await admin.script(`drop database ${name} with (force)`)
    await admin.close()
    await localServer?.stop()
  }
}

async function measure(openFrom: () => Promise<OpenDb>, openTo: () => Promise<OpenDb>): Promise<void> {
  const from = await openFrom()
  await migrateDatabase(from)
  await ensureBenchData(from, projects, say)
  const [size] = await from.query<{ mb: number }>(sql`select pg_database_size(current_database()) / 1048576 as mb`)
  const file = path.join(values.dir, `${from.engine}.backup`)
  const made = await createBackup(from, file, { alongside: true })
  await from.close()
  const to = await openTo()
  const restored = await restoreDatabaseFromFile(to, file, { replace: false })
  await to.close()
  const waited = made.pausedMs === undefined ? 'nobody waited' : `server paused for ${Math.round(made.pausedMs)} ms`
  console.log(
    `${to.engine.padEnd(9)} ${made.rows} rows, database ${size!.mb} MB, file ${(statSync(file).size / 2 ** 20).toFixed(1)} MB   backup ${made.seconds.toFixed(1)} s (${waited}), restore ${restored.seconds.toFixed(1)} s   peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB   load ${loadavg()[0]?.toFixed(1)}`,
  )
}
