import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.join(import.meta.dirname, '..')

export type OwnServer = { readonly base: string; stop(): Promise<void> }

/** The real server as a process of its own, on a port and a data folder of its own, limits far away. Ends with this process too. */
export async function startOwnServer(port: string, dataDir: string): Promise<OwnServer> {
  const base = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/main.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      SEED: 'sample',
      RATE_LIMIT_FACTOR: '1000',
      LOG_LEVEL: 'error',
    },
  })
  // Also when something fails where nobody waits for it: a server left behind keeps the data folder.
  process.on('exit', () => child.kill('SIGTERM'))
  await untilReady(child, base)
  return {
    base,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function untilReady(child: ChildProcess, base: string): Promise<void> {
  for (let tries = 0; tries < 480; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const isReady = await fetch(`${base}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isReady) return
    await sleep(250)
  }
  child.kill('SIGTERM')
  throw new Error('the server was not ready in 120 s')
}
