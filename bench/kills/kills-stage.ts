import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { type KeptPostgres, startPostgresIn } from '../../test/server/postgres-server.ts'
import { type OwnServer, startOwnServer } from '../server/own-server.ts'

const root = path.join(import.meta.dirname, '../..')
/** A machine that is busy with other work needs longer than the five seconds that are asked for; the table says how long. */
const PATIENCE_MS = 180_000

/** One engine with a server of its own on it, to be killed and started again. */
export type Stage = {
  readonly engine: 'pglite' | 'postgres'
  readonly dataDir: string
  /** For each start after a kill, until `/readyz` answered: elapsed time and processor time. */
  readonly starts: { readonly readyMs: number; readonly computedMs: number }[]
  start(): Promise<OwnServer>
  /** Runs `node server/main.ts …` beside the server; the exit code, null when it was killed. */
  command(args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<number | null> }
  /** Starts the server and kills it after so long, ready or not. */
  startAndKill(afterMs: number): Promise<void>
  /** Ends PostgreSQL as when the machine fails, and starts it again. The embedded database ends with its process. */
  breakDatabase(): Promise<void>
  /**
   * What a killed worker held is free after a minute (R52), on PGlite at the next start. Lets that minute pass at once: 25 of them would be most of the
   * time that this takes.
   */
  passLeases(): Promise<void>
  /** The database for looking and preparing; on PGlite only while no server runs. */
  open(): Promise<OpenDb>
  /** Keeps the present database under a name, and puts a kept one in its place; while nobody has it open. */
  keep(name: string): Promise<void>
  putBack(name: string): Promise<void>
  end(): Promise<void>
}

/** Seeded, so that a run can be repeated: mulberry32, [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Undefined, and said so, where there is no PostgreSQL. */
export async function makeStage(engine: Stage['engine'], folder: string, port: string): Promise<Stage | undefined> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  let postgres: KeptPostgres | undefined
  if (engine === 'postgres') {
    // Durable, as in production: fsync is on.
    postgres = await startPostgresIn(path.join(folder, 'postgres'), ['max_connections=60'])
    if (postgres === undefined) {
      console.log('postgres  SKIPPED: there is no server binary')
      return undefined
    }
  }
  const urlOf = (database: string) => postgres!.url.replace(/\/postgres$/, `/${database}`)
  const env: Record<string, string> = { SEED: 'none', LOG_LEVEL: 'silent' }
  if (postgres) env.DATABASE_URL = urlOf('kills')
  const starts: { readyMs: number; computedMs: number }[] = []

  const inAdmin = async (text: string) => {
    const admin = createDb(await openPostgres(postgres!.url))
    try {
      await admin.script(text)
    } finally {
      await admin.close()
    }
  }
  if (postgres) await inAdmin('create database kills')

  function command(args: readonly string[]) {
    const child = spawn(process.execPath, ['server/main.ts', ...args], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, DATA_DIR: dataDir, PORT: port, ...env },
    })
    const endToo = () => child.kill('SIGKILL')
    process.on('exit', endToo)
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
    void ended.then(() => process.off('exit', endToo))
    return { child, ended }
  }

  return {
    engine,
    dataDir,
    starts,
    async start() {
      const server = await startOwnServer(port, dataDir, env, PATIENCE_MS)
      starts.push({ readyMs: server.readyAfterMs, computedMs: server.readyComputedMs })
      return server
    },
    command,
    async startAndKill(afterMs) {
      const { child, ended } = command(['serve'])
      await Promise.race([sleep(afterMs), ended])
      if (child.exitCode !== null) throw new Error(`the server ended by itself with ${child.exitCode}`)
      child.kill('SIGKILL')
      await ended
    },
    async breakDatabase() {
      if (!postgres) return
      await postgres.stop('immediate')
      await postgres.start()
    },
    async passLeases() {
      if (!postgres) return
      const db = createDb(await openPostgres(urlOf('kills')))
      await db.script(`
        update job_leases set expires_at = now();
        update jobs set lease_until = now() where lease_until is not null`)
      await db.close()
    },
    async open() {
      return postgres ? createDb(await openPostgres(urlOf('kills'))) : await openDb({ dataDir })
    },
    async keep(name) {
      if (postgres)
        await inAdmin(`drop database if exists ${name}; `).then(() => inAdmin(`create database ${name} template kills`))
      else cpSync(path.join(dataDir, 'pglite'), path.join(folder, name), { recursive: true })
    },
    async putBack(name) {
      if (postgres) {
        await inAdmin('drop database if exists kills with (force)')
        await inAdmin(`create database kills template ${name}`)
        return
      }
      rmSync(path.join(dataDir, 'pglite'), { recursive: true, force: true })
      cpSync(path.join(folder, name), path.join(dataDir, 'pglite'), { recursive: true })
    },
    async end() {
      await postgres?.stop('fast')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
