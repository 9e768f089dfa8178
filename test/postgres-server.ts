import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type PostgresServer = { readonly url: string; stop(): Promise<void> }

/**
 * The server of TEST_DATABASE_URL, or a throwaway one from the newest local binary; undefined when there is neither.
 * PostgreSQL refuses to run as root, so root starts it as `postgres` or `nobody`.
 */
export async function startPostgresServer(): Promise<PostgresServer | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined)
    return { url: process.env.TEST_DATABASE_URL, stop: async () => undefined }
  const bin = findBinaries()
  if (bin === undefined) return undefined
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-postgres-'))
  const owner = ownerToBe()
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  const as = {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
    env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
  }
  const data = path.join(folder, 'data')
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', data, '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-U', 'postgres'],
    as,
  )
  const port = await freePort()
  // Tests lose nothing when the machine does: no fsync.
  const settings = [
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
    `unix_socket_directories=${folder}`,
    'listen_addresses=127.0.0.1',
    'max_connections=200',
  ]
  const server = spawn(
    path.join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    as,
  )
  let log = ''
  server.stderr.on('data', (chunk) => {
    log = `${log}${chunk}`.slice(-4_000)
  })
  const gone = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  // Ctrl-C in the middle of a run must not leave a server behind.
  const killNow = () => {
    server.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', killNow)
  await untilReady(path.join(bin, 'pg_isready'), port, () => (server.exitCode === null ? undefined : log))
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off('exit', killNow)
      server.kill('SIGINT')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function findBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => path.join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ]
  return folders.find((folder) => existsSync(path.join(folder, 'postgres')) && existsSync(path.join(folder, 'initdb')))
}

function ownerToBe(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string, user: string) =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  for (const user of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', user), gid: idOf('-g', user) }
    } catch {
      // No such user here: try the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

function freePort(): Promise<number> {
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
