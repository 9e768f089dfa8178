import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { type RestartablePostgres, startPostgresIn } from '../../test/server/postgres-server.ts'
import { type ServerProcess, startServerProcess } from '../server/own-server.ts'

const root = path.join(import.meta.dirname, '../..')
/** A busy machine may exceed the required five seconds; the table shows by how much. */
const MAX_WAIT_MS = 180_000

export type Stage = {
  readonly engine: 'pglite' | 'postgres'
  readonly dataDir: string
  /** For each start after a kill, elapsed time and CPU time until `/readyz` returned 200. */
  readonly starts: { readonly readyMs: number; readonly computedMs: number }[]
  start(): Promise<ServerProcess>
  /**
   * Runs `node server/main.ts …` alongside the server. `ended` resolves with the exit code, null when it was killed.
   */
  command(args: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<number | null> }
  startAndKill(afterMs: number): Promise<void>
  /** Stops PostgreSQL like a machine failure and restarts it. The embedded database dies with its process. */
  breakDatabase(): Promise<void>
  /**
   * Expires the leases of killed workers at once. They last a minute (R52), on PGlite until the next start; waiting 25
   * times would dominate the run time.
   */
  passLeases(): Promise<void>
  open(): Promise<OpenDb>
  /** Saves the current database under a name. Like `putBack`, only while no process has it open. */
  keep(name: string): Promise<void>
  putBack(name: string): Promise<void>
  end(): Promise<void>
}

/** Creates a stage in `folder`. Returns undefined, after a log line, when PostgreSQL is not available. */
export async function createStage(engine: Stage['engine'], folder: string, port: string): Promise<Stage | undefined> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const dataDir = path.join(folder, 'data')
  mkdirSync(dataDir)
  let postgres: RestartablePostgres | undefined
  if (engine === 'postgres') {
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
      const server = await startServerProcess(port, dataDir, env, MAX_WAIT_MS)
      starts.push({ readyMs: server.readyAfterMs, computedMs: server.readyComputedMs })
      return server
    },
    command,
    async startAndKill(afterMs) {
      const { child, ended } = command(['serve'])
      await Promise.race([sleep(afterMs), ended])
      if (child.exitCode !== null) throw new Error(`the server exited unexpectedly with code ${child.exitCode}`)
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
