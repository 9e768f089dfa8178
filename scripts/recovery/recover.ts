import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { countRows, listTables } from '#server/platform/engine/backup/backup-tables.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { freeLeases } from '#server/platform/queue/queries.ts'
import { momentOf, RecoveryRefused, restoreFiles, type Stanza } from './pgbackrest.ts'
import { findBinaries, ownerToBe } from './postgres-programs.ts'

/** Enough to replay a week of WAL on a slow disk. */
const MAX_REPLAY_MS = 12 * 3_600_000
const LOOK_EVERY_MS = 100

export type Drill<T> = {
  /** Label of the base backup. */
  readonly base: string
  readonly restoreSeconds: number
  /** From the start of PostgreSQL until it answers at the target time. */
  readonly replaySeconds: number
  /** Time of the last change before the target; null if the WAL had none. */
  readonly lastChangeAt: string | null
  readonly seen: T
}
export type DrillRequest<T> = {
  readonly stanza: Stanza
  readonly to: string
  /** A new folder with room for the whole database. */
  readonly folder: string
  readonly database: string
  readonly user?: string
  look(db: Db): Promise<T>
}

/**
 * Restores the time `to` into a separate folder, starts PostgreSQL there on its own socket, calls `look` with it, and
 * deletes everything. The live server and its archive are unaffected. Throws `RecoveryRefused` when `to` cannot be
 * reached.
 */
export async function drill<T>({
  stanza,
  to,
  folder,
  database,
  user = 'postgres',
  look,
}: DrillRequest<T>): Promise<Drill<T>> {
  const moment = await momentOf(stanza, to)
  if (existsSync(folder)) throw new RecoveryRefused(`${folder} already exists: choose a new folder`)
  makeOwned(folder)
  const data = path.join(folder, 'data')
  try {
    makeOwned(data)
    const restoreSeconds = await timed(() => restoreFiles(stanza, moment, { data, aside: true }))
    let aside: Aside | undefined
    const replaySeconds = await timed(async () => {
      aside = await startAside(folder, { database, user })
    })
    try {
      const [last] = await aside!.db.query<{ at: string | null }>(sql`select pg_last_xact_replay_timestamp() as at`)
      return {
        ...{ base: moment.base.label, restoreSeconds, replaySeconds },
        lastChangeAt: last!.at,
        seen: await look(aside!.db),
      }
    } finally {
      await aside!.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

function makeOwned(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = ownerToBe()
  if (owner) chownSync(folder, owner.uid, owner.gid)
}

type Aside = { readonly db: OpenDb; close(): Promise<void> }

/**
 * Ignores the machine's settings: Debian's are outside of the data folder. No query is answered before the target time
 * (`hot_standby`), and only users with access to the folder can connect.
 */
async function startAside(folder: string, { database, user }: { database: string; user: string }): Promise<Aside> {
  const bin = findBinaries()
  if (bin === undefined) throw new RecoveryRefused('the PostgreSQL server programs are not installed on this machine')
  const [config, hba] = ['postgresql.conf', 'hba.conf'].map((name) => path.join(folder, name)) as [string, string]
  writeFileSync(hba, 'local all all trust\n', { mode: 0o644 })
  writeFileSync(config, `hba_file = '${hba}'\nident_file = '${hba}'\n`, { mode: 0o644 })
  const settings = [`config_file=${config}`, 'listen_addresses=', `unix_socket_directories=${folder}`, 'port=5432']
  const quiet = ['archive_mode=off', 'hot_standby=off', 'fsync=off', 'shared_preload_libraries=']
  const args = [...settings, ...quiet].flatMap((setting) => ['-c', setting])
  const server = spawn(path.join(bin, 'postgres'), ['-D', path.join(folder, 'data'), ...args], {
    ...ownerToBe(),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
  })
  let log = ''
  server.stderr.on('data', (chunk) => {
    log = `${log}${chunk}`.slice(-4_000)
  })
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const killNow = () => server.kill('SIGQUIT')
  process.once('exit', killNow)
  const stop = async () => {
    process.off('exit', killNow)
    server.kill('SIGINT')
    await gone
  }
  try {
    const until = performance.now() + MAX_REPLAY_MS
    while (performance.now() < until) {
      if (server.exitCode !== null) throw notReached(log)
      const db = await tryToOpen(`postgres://${user}@/${database}?host=${encodeURIComponent(folder)}&port=5432`)
      if (db)
        return {
          db,
          async close() {
            await db.close()
            await stop()
          },
        }
      await sleep(LOOK_EVERY_MS)
    }
    throw new RecoveryRefused(`the WAL was not replayed within ${MAX_REPLAY_MS / 3_600_000} hours`)
  } catch (error) {
    await stop()
    throw error
  }
}

async function tryToOpen(url: string): Promise<OpenDb | undefined> {
  const db = await openPostgres(url).then(createDb, () => undefined)
  const answers = await db?.query(sql`select 1`).then(
    () => true,
    () => false,
  )
  if (answers) return db
  await db?.close()
  return undefined
}

function notReached(log: string): RecoveryRefused {
  if (log.includes('recovery ended before configured recovery target was reached'))
    return new RecoveryRefused(
      '--to: the archive ends before that time: choose an earlier time, or wait about a minute until its WAL is archived',
    )
  return new RecoveryRefused(`PostgreSQL did not start:\n${log}`)
}

/** Returns the row count of each table, for operators to compare with their expectation. */
export async function rowsOfTables(db: Db): Promise<Record<string, number>> {
  const entries: [string, number][] = []
  for (const { name } of await listTables(db)) entries.push([name, await countRows(db, name)])
  return Object.fromEntries(entries)
}

/**
 * Restores the time `to` into the data folder of a stopped PostgreSQL, replacing only files that differ. Refuses while
 * it runs.
 */
export async function restoreInPlace(
  stanza: Stanza,
  { to, data }: { to: string; data: string },
): Promise<{ base: string }> {
  const pidFile = path.join(data, 'postmaster.pid')
  if (existsSync(pidFile) && isRunning(Number(readFileSync(pidFile, 'utf8').split('\n')[0])))
    throw new RecoveryRefused(
      `${data}: PostgreSQL is still running in this folder: stop the servers, the workers, then PostgreSQL`,
    )
  const moment = await momentOf(stanza, to)
  await restoreFiles(stanza, moment, { data, aside: false })
  return { base: moment.base.label }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Prepares a restored database before the servers start: waits for the end of the replay, frees leases of processes of
 * that time, and ends all sessions, because some were ended after it. Returns how many sessions ended.
 */
export async function finishRestore(db: OpenDb): Promise<number> {
  const isReplaying = async () => (await db.query<{ is: boolean }>(sql`select pg_is_in_recovery() as is`))[0]!.is
  while (await isReplaying()) await sleep(LOOK_EVERY_MS)
  await freeLeases(db)
  return await db.execute(sql`update sessions set revoked_at = now() where revoked_at is null`)
}
