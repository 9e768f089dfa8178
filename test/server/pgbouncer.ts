import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgresOwner } from './postgres-programs.ts'
import { findFreePort } from './postgres-server.ts'

export type PgBouncer = { readonly url: string; stop(): Promise<void> }

/** Returns true if PgBouncer is installed. Warns loudly when not, because its tests are then skipped. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    console.warn(
      '\n*** pgbouncer is not installed: the tests through a pooler are SKIPPED (apt-get install pgbouncer) ***\n',
    )
    return false
  }
}

/**
 * Starts a real PgBouncer in front of `url`, in transaction mode by default, with `connections` server connections to
 * share.
 */
export async function startPgBouncer(
  url: string,
  { connections = 3, mode = 'transaction' }: { connections?: number; mode?: 'transaction' | 'session' } = {},
): Promise<PgBouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tamngan-pgbouncer-'))
  const { hostname, port, pathname, username } = new URL(url)
  const bouncerPort = await findFreePort()
  const file = (name: string) => path.join(folder, name)
  writeFileSync(file('users.txt'), `"${username}" ""\n`)
  writeFileSync(
    file('pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${bouncerPort}
unix_socket_dir =
auth_type = trust
auth_file = ${file('users.txt')}
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 200
`,
  )
  const owner = findPostgresOwner()
  if (owner)
    for (const ownedPath of [folder, file('users.txt'), file('pgbouncer.ini')])
      chownSync(ownedPath, owner.uid, owner.gid)
  const process = spawn('pgbouncer', [file('pgbouncer.ini')], { ...owner, cwd: folder, stdio: 'ignore' })
  const gone = new Promise<void>((resolve) => process.once('exit', () => resolve()))
  for (let attempt = 0; !(await answers(bouncerPort)); attempt += 1) {
    if (attempt === 200 || process.exitCode !== null) throw new Error('pgbouncer did not start')
    await sleep(50)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${bouncerPort}${pathname}`,
    async stop() {
      process.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
