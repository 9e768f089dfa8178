import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createDb } from '#server/engine/create-db.ts'
import type { OpenDb } from '#server/engine/db.ts'
import { migrate } from '#server/engine/migrate.ts'
import { openDb } from '#server/engine/open-db.ts'
import { openPostgres } from '#server/engine/postgres.ts'
import { publishLoad, stageLoad } from '#server/features/feed/load.ts'
import { openFeedFile } from '#server/features/feed/open-feed-file.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'
import { writeImportRows } from './data/import-rows.ts'

/**
 * How fast a file becomes projects in an empty database, end to end: read, stage, publish; without matching.
 *
 *   npx node bench/import.ts [--engine pglite|postgres|both] [--rows 50000] [--again] [FILE]
 *
 * Without FILE it takes the competitive file of the shared data, or rows of its own. PostgreSQL is the server of
 * DATABASE_URL (a database of its own is made and dropped there) or a throwaway local one, which runs without fsync.
 * `--again` loads the same file a second time, to measure a load that changes nothing.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'both' },
    rows: { type: 'string', default: '50000' },
    again: { type: 'boolean', default: false },
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
    await migrate(db)
    await measure(db, file)
  } finally {
    await db.close()
  }
}

async function onPostgres(file: string): Promise<void> {
  const ownServer = process.env.DATABASE_URL === undefined ? await startPostgresServer() : undefined
  const server = process.env.DATABASE_URL ?? ownServer?.url
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
      await migrate(db)
      await measure(db, file)
    } finally {
      await db.close()
    }
    await admin.script(`drop database ${name} with (force)`)
  } finally {
    await admin.close()
    await ownServer?.stop()
  }
}

async function measure(db: OpenDb, file: string): Promise<void> {
  for (const run of values.again ? ['new  ', 'again'] : ['new  ']) {
    const started = performance.now()
    const { source, fingerprint } = await openFeedFile(file)
    const staged = await stageLoad(db, source, { origin: file, fingerprint })
    const stagedAt = performance.now()
    const published = await db.transaction((tx) => publishLoad(tx, staged.loadId, { today }), { idleTimeoutMs: 0 })
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
