import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import sql from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { findPostgresOwner } from '../server/postgres-programs.ts'
import { type RestartablePostgres, startPostgresIn } from '../server/postgres-server.ts'

const POLL_INTERVAL_MS = 100

/**
 * Starts a PostgreSQL in `folder/data` that archives its WAL encrypted in `folder/repository`, with the settings of
 * docs/operations.md, and creates the stanza. Undefined when there is no server binary.
 */
export async function startArchivingPostgres(
  folder: string,
  settings: readonly string[] = [],
): Promise<RestartablePostgres | undefined> {
  const isNew = !existsSync(path.join(folder, 'data'))
  for (const name of ['', 'repository', 'state', 'socket']) makeOwned(path.join(folder, name))
  const server = await startPostgresIn(folder, [
    'wal_level=replica',
    'archive_mode=on',
    `archive_command=pgbackrest --config=${getConfigPath(folder)} --stanza=tamngan archive-push %p`,
    'archive_timeout=60',
    `unix_socket_directories=${path.join(folder, 'socket')}`,
    ...settings,
  ])
  if (server === undefined) return undefined
  writeConfig(folder, new URL(server.url).port)
  if (isNew) await runPgbackrest(folder, ['stanza-create'])
  return server
}

export const getConfigPath = (folder: string): string => path.join(folder, 'pgbackrest.conf')

/** Writes the configuration. The port changes at each start, but the passphrase must stay the same. */
function writeConfig(folder: string, port: string): void {
  const config = getConfigPath(folder)
  const stored = existsSync(config) ? /^repo1-cipher-pass=(.*)$/m.exec(readFileSync(config, 'utf8'))?.[1] : undefined
  const state = path.join(folder, 'state')
  writeFileSync(
    config,
    `[global]
repo1-path=${path.join(folder, 'repository')}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=${stored ?? randomBytes(36).toString('base64')}
repo1-retention-full=2
repo1-bundle=y
compress-type=zst
start-fast=y
lock-path=${state}/lock
log-path=${state}
log-level-console=warn

[tamngan]
pg1-path=${path.join(folder, 'data')}
pg1-port=${port}
pg1-socket-path=${path.join(folder, 'socket')}
pg1-user=postgres
`,
  )
  chmodSync(config, 0o600)
  const owner = findPostgresOwner()
  if (owner) chownSync(config, owner.uid, owner.gid)
}

function makeOwned(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const owner = findPostgresOwner()
  if (owner) chownSync(folder, owner.uid, owner.gid)
}

const run = promisify(execFile)

/** Runs pgBackRest as the user that PostgreSQL runs as. */
export async function runPgbackrest(folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('pgbackrest', [`--config=${getConfigPath(folder)}`, '--stanza=tamngan', ...args], {
    ...findPostgresOwner(),
    cwd: '/',
  })
  return stdout
}

/** Restores base backup and WAL into `data`. PostgreSQL replays the WAL when it starts there, and is then promoted. */
export async function restoreToTarget(folder: string, target: string, args: readonly string[]): Promise<void> {
  await runPgbackrest(folder, ['--type=time', `--target=${target}`, '--target-action=promote', ...args, 'restore'])
}

type DrillResult<T> = {
  readonly restoreSeconds: number
  /** Seconds from the start of PostgreSQL until it has replayed up to the target time and answers. */
  readonly replaySeconds: number
  readonly seen: T
}

/**
 * Restores the database as of `target` into `folder/drill`, starts PostgreSQL there, calls `inspect` with it and stops
 * it. The live server and its archive are unaffected.
 */
export async function runRestoreDrill<T>(
  folder: string,
  target: string,
  inspect: (db: Db) => Promise<T>,
): Promise<DrillResult<T>> {
  const copy = path.join(folder, 'drill')
  const data = path.join(copy, 'data')
  for (const name of [copy, data]) makeOwned(name)
  const startedAt = performance.now()
  // A copy next to the live server must not archive, or the archive would contain two histories.
  await restoreToTarget(folder, target, [`--pg1-path=${data}`, '--archive-mode=off'])
  const restoredAt = performance.now()
  const server = (await startPostgresIn(copy, ['archive_mode=off', 'fsync=off']))!
  try {
    const db = createDb(await openPostgres(server.url))
    try {
      await waitUntilReplayed(db)
      const replayedAt = performance.now()
      return {
        restoreSeconds: (restoredAt - startedAt) / 1000,
        replaySeconds: (replayedAt - restoredAt) / 1000,
        seen: await inspect(db),
      }
    } finally {
      await db.close()
    }
  } finally {
    await server.stop('immediate')
    rmSync(copy, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Waits until the WAL written so far is archived; throws after `timeoutMs`. */
export async function waitUntilArchived(db: Db, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const [segment] = await db.query<{ name: string }>(sql`select pg_walfile_name(pg_switch_wal()) as name`)
  for (;;) {
    const [last] = await db.query<{ name: string | null }>(sql`select last_archived_wal as name from pg_stat_archiver`)
    if (last!.name !== null && last!.name >= segment!.name) return
    if (performance.now() > deadline) throw new Error(`WAL ${segment!.name} is not archived; the last is ${last!.name}`)
    await sleep(POLL_INTERVAL_MS)
  }
}

/** Waits until a restored server has reached its target time. */
export async function waitUntilReplayed(db: Db): Promise<void> {
  while ((await db.query<{ is: boolean }>(sql`select pg_is_in_recovery() as is`))[0]!.is) await sleep(POLL_INTERVAL_MS)
}
