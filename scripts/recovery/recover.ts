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

/** As long as the log of a week takes, on a slow disk. */
const LONGEST_REPLAY_MS = 12 * 3_600_000
const LOOK_EVERY_MS = 100

export type Drill<T> = {
  /** The base backup that it began with. */
  readonly base: string
  readonly restoreSeconds: number
  /** From the start of PostgreSQL to the first answer at the moment. */
  readonly replaySeconds: number
  /** Of the last change before the moment; null: the log brought none. */
  readonly lastChangeAt: string | null
  readonly seen: T
}
export type DrillRequest<T> = {
  readonly stanza: Stanza
  readonly to: string
  /** A new folder with room for the whole database. */
  readonly folder: string
  readonly database: string
  /** Superuser of the server. */
  readonly user?: string
  /** Looks at the database of the moment. */
  look(db: Db): Promise<T>
}

/**
 * Restores the moment `to` into a folder aside, starts PostgreSQL there behind a socket of its own, has it looked at, and takes all of it away. The living server notices nothing and its
 * archive stays as it is. Rejects with `RecoveryRefused` where the moment cannot be reached.
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
  if (existsSync(folder)) throw new RecoveryRefused(`${folder} is there already: name a new folder`)
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
 * Of the settings of the machine it takes none: those of Debian lie outside of the data folder. Nobody is answered before the moment is reached (`hot_standby`), and nobody but who may enter
 * the folder can ask.
 */
async function startAside(folder: string, { database, user }: { database: string; user: string }): Promise<Aside> {
  const bin = findBinaries()
  if (bin === undefined) throw new RecoveryRefused('the programs of PostgreSQL are not installed here')
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
    const until = performance.now() + LONGEST_REPLAY_MS
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
    throw new RecoveryRefused(`the log was not replayed within ${LONGEST_REPLAY_MS / 3_600_000} hours`)
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
      '--to: the archive ends before that moment: choose an earlier one, or wait until the log of it is archived (a minute)',
    )
  return new RecoveryRefused(`PostgreSQL did not start:\n${log}`)
}

/** Rows of each table, for a person to hold against what they expect. */
export async function rowsOfTables(db: Db): Promise<Record<string, number>> {
  const entries: [string, number][] = []
  for (const { name } of await listTables(db)) entries.push([name, await countRows(db, name)])
  return Object.fromEntries(entries)
}

/** Brings the moment `to` into the data folder of a PostgreSQL that is stopped; only files that differ are brought. Refused while it runs. */
export async function restoreInPlace(
  stanza: Stanza,
  { to, data }: { to: string; data: string },
): Promise<{ base: string }> {
  const pidFile = path.join(data, 'postmaster.pid')
  if (existsSync(pidFile) && isRunning(Number(readFileSync(pidFile, 'utf8').split('\n')[0])))
    throw new RecoveryRefused(`${data}: PostgreSQL is running there: stop the servers, the workers, then PostgreSQL`)
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
 * What a restored database needs before the servers start: that it has reached its moment (waits), no session that was ended since (all end), no lease of a process of then. Answers how many
 * sessions ended.
 */
export async function finishRestore(db: OpenDb): Promise<number> {
  const isReplaying = async () => (await db.query<{ is: boolean }>(sql`select pg_is_in_recovery() as is`))[0]!.is
  while (await isReplaying()) await sleep(LOOK_EVERY_MS)
  await freeLeases(db)
  return await db.execute(sql`update sessions set revoked_at = now() where revoked_at is null`)
}
