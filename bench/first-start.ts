import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_ACCOUNTS, SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { computedSeconds, machineLine } from './server/machine.ts'

// What `npm start` makes a newcomer wait for: `node bench/first-start.ts`, with the app built. Seconds since the process began, on an empty data folder and without
// the compiled code that an earlier start kept. `computed`: seconds of processor time that the server took until then, which other work on the machine hardly changes.
const PORT = process.env.BENCH_PORT ?? '4196'
const BASE = `http://127.0.0.1:${PORT}`
const PATIENCE_MS = 900_000
const root = path.join(import.meta.dirname, '..')

type Readiness = { readonly sample?: { readonly done: number; readonly total: number } }

/** Asks until `answer` gives something. Rejects when the server has ended or the time limit is over. */
async function until<T>(isAlive: () => boolean, answer: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + PATIENCE_MS
  while (isAlive() && performance.now() < end) {
    const found = await answer().catch(() => undefined)
    if (found !== undefined) return found
    await sleep(100)
  }
  throw new Error(isAlive() ? 'the server took too long' : 'the server has ended')
}

/** Logs the first sample account in and answers the rows of its report; undefined while there are none. */
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
console.log(machineLine('npm start on an empty data folder, the app built'))
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
/** Measured from the start of the process: elapsed time, and processor time of the server. */
const timesUntilNow = () => ({
  waited: ((performance.now() - startedAt) / 1000).toFixed(1),
  computed: computedSeconds(server.pid!).toFixed(1),
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
  const whole = timesUntilNow()
  const allRows = await until(isAlive, reportRows)
  console.log('\n| From the start of the process | s | computed s | rows of the report |\n|---|---|---|---|')
  console.log(`| listening | ${listening.waited} | ${listening.computed} | |`)
  console.log(`| the report of a sample account answers | ${usable.waited} | ${usable.computed} | ${rows} |`)
  console.log(`| the whole sample is in | ${whole.waited} | ${whole.computed} | ${allRows} |`)
  console.log(`\n${machineLine('at the end')}`)
} finally {
  if (isAlive()) {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  await rm(dataDir, { recursive: true, force: true })
}
