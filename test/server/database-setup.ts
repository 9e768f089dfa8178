import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openMemoryDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startPostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    pgliteSnapshot: string
    postgres: { url: string; template: string } | undefined
  }
}

const root = path.join(import.meta.dirname, '../..')

export async function setup(project: TestProject): Promise<void> {
  enterScratchFolder()
  project.provide('pgliteSnapshot', await preparePgliteSnapshot())
  const server = await startPostgresServer()
  if (server === undefined) {
    console.warn(
      '\n*** NO PostgreSQL: neither TEST_DATABASE_URL nor a local server binary. All PostgreSQL tests are SKIPPED. ***\n',
    )
    project.provide('postgres', undefined)
    return
  }
  const template = `tamngan_template_${randomBytes(4).toString('hex')}`
  await withDatabase(server.url, (admin) => admin.script(`create database ${template}`))
  await withDatabase(getDatabaseUrl(server.url, template), migrateDatabase)
  project.provide('postgres', { url: server.url, template })
  tidyUp = async () => {
    await withDatabase(server.url, (admin) => admin.script(`drop database ${template}`))
    await server.stop()
  }
}

let tidyUp: (() => Promise<void>) | undefined

export async function teardown(): Promise<void> {
  await tidyUp?.()
}

/**
 * Puts all temporary files of the run into one folder that is removed at the end, including those of killed processes.
 */
function enterScratchFolder(): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'tamngan-test-'))
  // PostgreSQL, which does not run as root, stores its data here.
  chmodSync(scratch, 0o755)
  process.env.TMPDIR = scratch
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }))
}

/** A dozen test files share the server and two cores, so a slow connection says nothing about the product. */
export const SLOW_MACHINE_OPTIONS = { connectTimeoutMs: 30_000 }

export function getDatabaseUrl(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

export async function withDatabase(url: string, work: (db: OpenDb) => Promise<unknown>): Promise<void> {
  const db = createDb(await openPostgres(url, SLOW_MACHINE_OPTIONS))
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

/**
 * Returns the path of the tar of a migrated database. Creating the database takes 3 s, so the tar is cached between
 * runs, keyed by all its inputs.
 */
async function preparePgliteSnapshot(): Promise<string> {
  const folder = path.join(root, 'node_modules/.cache/test-databases')
  const migrations = path.join(root, 'server/platform/engine/migrations')
  const parts = [
    path.join(root, 'node_modules/@electric-sql/pglite/package.json'),
    path.join(root, 'server/platform/engine/migrate-database.ts'),
    ...readdirSync(migrations)
      .sort()
      .map((name) => path.join(migrations, name)),
  ].map((file) => readFileSync(file, 'utf8'))
  const file = path.join(folder, `${createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)}.tar`)
  if (existsSync(file)) return file
  const db = await openMemoryDb()
  await migrateDatabase(db)
  const tar = await db.snapshot()
  await db.close()
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, tar)
  renameSync(draft, file)
  return file
}
