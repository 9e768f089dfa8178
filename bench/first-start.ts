import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_ACCOUNTS, SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { describeMachine, getCpuSeconds } from './server/machine.ts'

// Measures what `npm start` makes a new user wait for, with the app already built: seconds since the process began, on
// an empty data folder and without the compile cache of an earlier start. `computed`: CPU seconds of the server until
// then, which other load hardly affects. Usage: node bench/first-start.ts
const PORT = process.env.BENCH_PORT ?? '4196'
const BASE = `http://127.0.0.1:${PORT}`
const MAX_WAIT_MS = 900_000
const root = path.join(import.meta.dirname, '..')

type Readiness = { readonly sample?: { readonly done: number; readonly total: number } }

/** Polls until `answer` returns a value. Rejects on a timeout or when the server has exited. */
async function until<T>(isAlive: () => boolean, answer: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + MAX_WAIT_MS
  while (isAlive() && performance.now() < end) {
    const result = await answer().catch(() => undefined)
    if (result !== undefined) return result
    await sleep(100)
  }
  throw new Error(isAlive() ? 'the server did not respond in time' : 'the server exited')
}

async function reportRows(): Promise<number | undefined> {
  const login = await fetch(`${BASE}/api/v2/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: SAMPLE_ACCOUNTS[0]!.email, password: SAMPLE_PASSWORD }),
  })
  if (!login.ok) return undefined
  const { access } = (await login.json()) as { access: string }
  const report = await fetch(`${BASE}/api/v2/projects`, { headers: { authorization: `Bearer ${access}` } })
  const { total_project: total } = (await report.json()) as { total_project?: number }
  return total || undefined
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'first-start-'))
console.log(describeMachine('npm start on an empty data folder, app already built'))
const startedAt = performance.now()
const server = spawn(process.execPath, ['server/main.ts', 'serve'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORT,
    DATA_DIR: dataDir,
    SEED: 'sample',
    SEED_WAIT: 'off',
    LOG_LEVEL: 'error',
    NODE_DISABLE_COMPILE_CACHE: '1',
  },
})
const timesUntilNow = () => ({
  waited: ((performance.now() - startedAt) / 1000).toFixed(1),
  computed: getCpuSeconds(server.pid!).toFixed(1),
})
const isAlive = () => server.exitCode === null && server.signalCode === null
try {
  const readiness = async () => {
    const answer = await fetch(`${BASE}/readyz`)
    return answer.ok ? ((await answer.json()) as Readiness) : undefined
  }
  await until(isAlive, readiness)
  const listening = timesUntilNow()
  const rows = await until(isAlive, reportRows)
  const usable = timesUntilNow()
  await until(isAlive, async () => {
    const ready = await readiness()
    return ready !== undefined && ready.sample === undefined ? true : undefined
  })
  const allImported = timesUntilNow()
  const allRows = await until(isAlive, reportRows)
  console.log('\n| Since process start | s | CPU s | report rows |\n|---|---|---|---|')
  console.log(`| listening | ${listening.waited} | ${listening.computed} | |`)
  console.log(`| the report of a sample account responds | ${usable.waited} | ${usable.computed} | ${rows} |`)
  console.log(`| all demo data imported | ${allImported.waited} | ${allImported.computed} | ${allRows} |`)
  console.log(`\n${describeMachine('at the end')}`)
} finally {
  if (isAlive()) {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  await rm(dataDir, { recursive: true, force: true })
}
