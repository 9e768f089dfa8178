import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCpuSeconds } from './machine.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const POLL_INTERVAL_MS = 50

export type ServerProcess = {
  readonly base: string
  readonly readyAfterMs: number
  readonly readyComputedMs: number
  readonly pid: number
  stop(): Promise<void>
  /** Kills the server without warning, like the kernel's OOM killer. */
  kill(): Promise<void>
}

/**
 * Starts the real server as a separate process with its own port and data folder and very high rate limits. It ends
 * with this process. `env` overrides these settings, e.g. DATABASE_URL or SEED. `root`: folder of another version of
 * the program. Rejects when the server exits or is not ready within `patienceMs`. `onLog` receives each chunk of its
 * standard output.
 */
export async function startServerProcess(
  port: string,
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  patienceMs = 120_000,
  { onLog, root = ROOT }: { readonly onLog?: (text: string) => void; readonly root?: string } = {},
): Promise<ServerProcess> {
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
  // The exit handler also covers uncaught failures, after which an orphaned server would lock the data folder.
  const endToo = () => child.kill('SIGTERM')
  process.on('exit', endToo)
  await untilReady(child, base, startedAt + patienceMs)
  const readyAfterMs = performance.now() - startedAt
  const readyComputedMs = getCpuSeconds(child.pid!) * 1000
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
    if (child.exitCode !== null) throw new Error(`the server exited with code ${child.exitCode}`)
    const isReady = await fetch(`${base}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await sleep(POLL_INTERVAL_MS)
  }
  child.kill('SIGTERM')
  throw new Error('the server was not ready in time')
}
