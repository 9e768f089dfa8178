import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findPostgresBinaries, findPostgresOwner } from './postgres-programs.ts'

/** Prefix of data folders; the id of the owning process follows. */
const PREFIX = 'tamngan-postgres-'

type PostgresServer = { readonly url: string; stop(): Promise<void> }

/**
 * Returns the server of TEST_DATABASE_URL, or starts a throwaway one from the newest local binary; undefined when there
 * is neither. PostgreSQL refuses to run as root, so root starts it as `postgres` or `nobody`.
 */
export async function startPostgresServer(): Promise<PostgresServer | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined)
    return { url: process.env.TEST_DATABASE_URL, stop: async () => undefined }
  const folder = createServerFolder()
  // Tests need no durability, so fsync is off.
  const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200']
  const server = await startPostgresIn(folder, settings)
  if (server === undefined) {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', clear)
  return {
    url: server.url,
    async stop() {
      await server.stop('fast')
      process.off('exit', clear)
      clear()
    },
  }
}

export const createServerFolder = (): string => mkdtempSync(path.join(quickFolder(), `${PREFIX}${process.pid}-`))

/** Returns a folder in shared memory if that is large enough, which it is not in many containers with only 64 MB. */
function quickFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  // Folders left by killed runs are removed, because they occupy memory.
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : undefined
    if (pid !== undefined && !isRunning(pid)) rmSync(path.join(memory, name), { recursive: true, force: true })
  }
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4 * 2 ** 30 ? memory : tmpdir()
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export type RestartablePostgres = {
  readonly url: string
  /**
   * `fast`: orderly shutdown; `immediate`: ends all its processes at once, as when the machine fails; connections
   * break.
   */
  stop(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
}

/**
 * Starts a streaming replica of `primary` (a superuser's URL) on `folder`. Undefined when there is no server binary.
 */
export async function startReplicaIn(folder: string, primary: string): Promise<RestartablePostgres | undefined> {
  const bin = findPostgresBinaries()
  if (bin === undefined) return undefined
  const { as, data } = prepareFolder(folder)
  // The copy runs asynchronously, because `primary` can lead through a proxy in this process.
  await promisify(execFile)(
    path.join(bin, 'pg_basebackup'),
    ['-d', primary, '-D', data, '--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'],
    as,
  )
  return await startPostgresIn(folder, ['fsync=off', 'max_connections=200', 'hot_standby_feedback=on'])
}

/** Prepares a folder for the user who may run PostgreSQL in it, and the options for starting its programs. */
function prepareFolder(folder: string) {
  const owner = findPostgresOwner()
  mkdirSync(folder, { recursive: true })
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  const as = {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
  }
  return { as, data: path.join(folder, 'data') }
}

/**
 * Starts a PostgreSQL on `folder` that keeps its data when it stops, so that it can be restarted under a running
 * server. Settings as `name=value`; durable unless they say otherwise. Undefined when there is no server binary.
 */
export async function startPostgresIn(
  folder: string,
  settings: readonly string[] = [],
): Promise<RestartablePostgres | undefined> {
  const bin = findPostgresBinaries()
  if (bin === undefined) return undefined
  const { as, data } = prepareFolder(folder)
  if (!existsSync(path.join(data, 'PG_VERSION')))
    execFileSync(
      path.join(bin, 'initdb'),
      ['-D', data, '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-U', 'postgres'],
      as,
    )
  const port = await findFreePort()
  const all = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', ...settings]
  let server: ChildProcess
  let gone: Promise<void>
  // Kills the server when this process exits, so that Ctrl-C during a run leaves no server behind.
  const killNow = () => server.kill('SIGQUIT')

  async function start(): Promise<void> {
    server = spawn(
      path.join(bin!, 'postgres'),
      ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
      as,
    )
    let log = ''
    server.stderr!.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-4_000)
    })
    const started = server
    gone = new Promise<void>((resolve) => started.once('exit', () => resolve()))
    process.once('exit', killNow)
    await untilReady(path.join(bin!, 'pg_isready'), port, () => (started.exitCode === null ? undefined : log))
  }

  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    async stop(how) {
      process.off('exit', killNow)
      server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await gone
    },
  }
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

async function untilReady(pgIsReady: string, port: number, failure: () => string | undefined): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const log = failure()
    if (log !== undefined) throw new Error(`PostgreSQL did not start:\n${log}`)
    try {
      execFileSync(pgIsReady, ['-q', '-h', '127.0.0.1', '-p', String(port)])
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error('PostgreSQL was not ready within 30 s')
}
