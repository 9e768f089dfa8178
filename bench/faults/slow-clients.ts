import { execFileSync, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startLoadServer } from '../server/load-server.ts'
import { computePercentile, createSender, type Sample } from '../server/load-traffic.ts'

/**
 * Checks whether slow clients delay the others (R39): slowhttptest opens 200 connections and sends headers, then
 * bodies, a few bytes at a time, and finally reads responses as slowly; meanwhile a normal user keeps working. Targets:
 * 99 % of the user's requests below 500 ms, and none unanswered. The data are those of bench/load.ts, built once in
 * FOLDER and reused. Takes three times `--seconds`.
 *
 *   npx node bench/faults/slow-clients.ts [--seconds 60] [--connections 200] [--projects 1000000] [--dir FOLDER] [--port 4331]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '200' },
    projects: { type: 'string', default: '1000000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-load') },
    port: { type: 'string', default: '4331' },
  },
})
const MAX_MS = 500
const WANTED_SHARE = 0.99
const PAUSE_MS = 100
const WARM_UP_MS = 5_000
const PATHS = ['/users/me', '/projects', '/projects/facets', '/users/me/pulse']

try {
  execFileSync('slowhttptest', ['-h'], { stdio: 'ignore' })
} catch (error) {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    console.error('slowhttptest is not installed')
    process.exit(1)
  }
}

const { server, callers, close } = await startLoadServer({ ...values, usersEach: 1 })
const [user] = callers
const sender = createSender(server.base)
const { connections, seconds } = values
const common = ['-c', connections, '-r', connections, '-l', seconds, '-i', '5', '-p', '2']
const attacks: Readonly<Record<string, readonly string[]>> = {
  'slow headers': ['-H', '-u', `${server.base}/login`],
  'slow bodies': [
    '-B',
    '-f',
    'application/json',
    '-s',
    '8192',
    '-x',
    '10',
    '-t',
    'POST',
    '-u',
    `${server.base}/api/v2/auth/login/`,
  ],
  'slow reading': [
    '-X',
    '-w',
    '256',
    '-y',
    '512',
    '-n',
    '5',
    '-z',
    '32',
    '-k',
    '1',
    '-u',
    `${server.base}/api/docs/json`,
  ],
}
try {
  const { bearer } = user!
  await use(bearer, WARM_UP_MS)
  let isMet = true
  for (const [name, options] of Object.entries(attacks)) {
    const attack = spawn('slowhttptest', [...options, ...common], { stdio: 'ignore' })
    const ended = new Promise((resolve) => attack.once('exit', resolve))
    const samples = await use(bearer, Number(seconds) * 1000)
    attack.kill('SIGINT')
    await ended
    const quick = samples.filter(({ ms, status }) => status === 200 && ms < MAX_MS).length / samples.length
    const times = [0.5, 0.99, 1].map((share) => computePercentile(samples, share).toFixed(0)).join(' / ')
    const lost = samples.filter(({ status }) => status !== 200).length
    console.log(
      `${name}: ${samples.length} user requests meanwhile, p50 / p99 / max ${times} ms, ${(quick * 100).toFixed(1)} % below ${MAX_MS} ms, ${lost} lost`,
    )
    isMet &&= quick >= WANTED_SHARE && lost === 0
  }
  process.exitCode = isMet ? 0 : 1
} finally {
  sender.close()
  await close()
}

async function use(bearer: string, ms: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const first = performance.now()
  for (let n = 0; performance.now() < first + ms; n += 1) {
    const begun = performance.now()
    const status = await sender.send({ method: 'GET', path: PATHS[n % PATHS.length]! }, bearer)
    samples.push({ kind: 'page', at: begun - first, ms: performance.now() - begun, status })
    await sleep(PAUSE_MS)
  }
  return samples
}
