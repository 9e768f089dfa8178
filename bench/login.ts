import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { startServerProcess } from './server/own-server.ts'

/**
 * Measures logins per second, and how long everything else waits meanwhile: the real server on the embedded database.
 *
 *   npx node bench/login.ts [--port 4423] [--dir FOLDER] [--seconds 20] [--callers 8]
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4423' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-login') },
    seconds: { type: 'string', default: '20' },
    callers: { type: 'string', default: '8' },
  },
})
/** The accounts are used in rotation, because many concurrent attempts on one account are slowed down (R5). */
const USERS = [
  'manager@tharamek.example',
  'manager@noensai.example',
  'bid@noensai.example',
  'trial@wetchapim.example',
  'shop@ruamchai.example',
]
/** This account logs in only once, because only a user's newest twenty sessions remain valid. */
const READER = 'sales@tharamek.example'
let turn = 0
const WANTED = { perSecond: 25, longestMs: 500 }

const server = await startServerProcess(values.port, values.dir)
try {
  const { access } = await login(READER)
  const until = performance.now() + Number(values.seconds) * 1000
  const logins: number[] = []
  const reads: number[] = []
  const loginLoop = async () => {
    while (performance.now() < until) logins.push(await timed(() => login()))
  }
  const otherLoop = async () => {
    while (performance.now() < until) reads.push(await timed(() => read('/api/v2/projects', access)))
  }
  await Promise.all([...Array.from({ length: Number(values.callers) }, loginLoop), otherLoop()])
  const rate = logins.length / Number(values.seconds)
  console.log(`${availableParallelism()} cores, load ${loadavg()[0]!.toFixed(1)}, ${values.callers} callers`)
  console.log(
    `logins: ${rate.toFixed(1)} a second (target ${WANTED.perSecond}), p50 ${percentile(logins, 50)} ms, p95 ${percentile(logins, 95)} ms`,
  )
  console.log(
    `a report page meanwhile: p50 ${percentile(reads, 50)} ms, p95 ${percentile(reads, 95)} ms, longest ${Math.round(Math.max(...reads))} ms (target ${WANTED.longestMs})`,
  )
  process.exitCode = rate >= WANTED.perSecond && Math.max(...reads) <= WANTED.longestMs ? 0 : 1
} finally {
  await server.stop()
}

async function login(email = USERS[turn++ % USERS.length]): Promise<{ access: string }> {
  const answer = await fetch(`${server.base}/api/v2/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: SAMPLE_PASSWORD }),
  })
  if (!answer.ok) throw new Error(`login: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { access: string }
}

async function read(address: string, access: string): Promise<void> {
  const answer = await fetch(`${server.base}${address}`, { headers: { authorization: `Bearer ${access}` } })
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  await answer.arrayBuffer()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))] ?? 0)
}
