import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { computedSeconds } from './machine.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const LOOK_EVERY_MS = 50

export type OwnServer = {
  readonly base: string
  /** From the start of the process until `/readyz` said 200. */
  readonly readyAfterMs: number
  /** Processor time that it took until then. */
  readonly readyComputedMs: number
  readonly pid: number
  /** In good order. */
  stop(): Promise<void>
  /** Without warning, as the system does when memory runs out. */
  kill(): Promise<void>
}

/**
 * The real server as a process of its own, on a port and a data folder of its own, limits far away. Ends with this process too.
 * `env` comes over these settings, e.g. DATABASE_URL or SEED. `root`: where another version of the program lies. Rejects when it ends or is not ready within `patienceMs`. `onLog`: told of each piece of its
 * standard output.
 */
export async function startOwnServer(
  port: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  patienceMs = 120_000,
  { onLog, root = ROOT }: { readonly onLog?: (text: string) => void; readonly root?: string } = {},
): Promise<OwnServer> {
  const base = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['server/main.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      SEED: 'sample',
      SEED_WAIT: 'on',
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  if (onLog) child.stdout!.setEncoding('utf8').on('data', onLog)
  // Also when something fails where nobody waits for it: a server left behind keeps the data folder.
  const endToo = () => child.kill('SIGTERM')
  process.on('exit', endToo)
  await untilReady(child, base, startedAt + patienceMs)
  const readyAfterMs = performance.now() - startedAt
  const readyComputedMs = computedSeconds(child.pid!) * 1000
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    process.off('exit', endToo)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  return {
    base,
    readyAfterMs,
    readyComputedMs,
    pid: child.pid!,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

async function untilReady(child: ChildProcess, base: string, until: number): Promise<void> {
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const isReady = await fetch(`${base}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await sleep(LOOK_EVERY_MS)
  }
  child.kill('SIGTERM')
  throw new Error('the server was not ready in time')
}
