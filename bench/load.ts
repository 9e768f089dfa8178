import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { createSeededRandom } from '../test/world/seeded.ts'
import { fetchMetrics } from './server/figures.ts'
import { openSessions } from './server/load-database.ts'
import { startLoadServer } from './server/load-server.ts'
import {
  computePercentile,
  createSender,
  formatLatencyByTenth,
  formatLatencyTable,
  isSuccessful,
  runTraffic,
  type Sample,
} from './server/load-traffic.ts'

/**
 * Finds the highest rate of mixed use that the real server sustains with p99 ≤ 300 ms and without errors, and how ten
 * minutes of it affect its memory: 80 % report reads (a page and its facets, as a browser requests both), 15 % detail,
 * 5 % actions, by users of 17 organisations with 12,000 to 20,000 matches among a million projects on PostgreSQL. Rates
 * are user operations per second (1.8 requests each), sent at random times without waiting for responses. Server,
 * database and generator share the machine; the generator's CPU share is printed. `--rate` skips the search; a rate
 * that fails is lowered by a tenth, up to `--attempts` runs. `--busy`: another process takes one core meanwhile; then
 * pages, details and actions alone must stay within 500 ms and none may be rejected. Also fails when resident memory grows by more than 5 MB a minute after the third minute. The data are
 * built once in FOLDER and reused (4 minutes for a million). Otherwise takes about 20 minutes.
 *
 *   npx node bench/load.ts [--minutes 10] [--step 60] [--warm 90] [--rate N] [--attempts 3] [--busy] [--projects 1000000] [--dir FOLDER] [--port 4330]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    step: { type: 'string', default: '60' },
    warm: { type: 'string', default: '90' },
    rate: { type: 'string' },
    attempts: { type: 'string', default: '3' },
    busy: { type: 'boolean', default: false },
    projects: { type: 'string', default: '1000000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-load') },
    port: { type: 'string', default: '4330' },
  },
})
const WANTED_P99_MS = 300
const WANTED_BUSY_P99_MS = 500
const WANTED_SLOPE = 5
/** Minutes after which lazy loading is finished and memory should no longer grow. */
const SETTLED_AFTER_MINUTES = 3
const USERS_EACH = 20
const FIRST_RATE = 40
/** Rate during warm-up, when SQL answers because the columns are still loading. */
const WARM_UP_RATE = 8
const POLL_INTERVAL_MS = 5_000

const { server, db, close, ...started } = await startLoadServer({
  ...values,
  usersEach: USERS_EACH,
  env: { RATE_LIMIT_FACTOR: '1' },
})
let { callers } = started
const sender = createSender(server.base)
const dice = createSeededRandom(8)
try {
  await run(WARM_UP_RATE, Number(values.warm), 'warming up')
  const highest = values.rate === undefined ? await findHighest() : Number(values.rate)
  let rate = highest
  for (let attempt = 1; attempt <= Number(values.attempts); attempt += 1) {
    callers = await openSessions(db, USERS_EACH)
    if (await holds(rate)) {
      process.exitCode = 0
      console.log(`SUSTAINED for ${values.minutes} minutes: ${rate} actions/s = ${(rate * 1.8).toFixed(0)} requests/s`)
      break
    }
    process.exitCode = 1
    rate = Math.floor(rate * 0.9)
  }
} finally {
  sender.close()
  await close()
}

async function run(rate: number, seconds: number, name: string): Promise<Sample[]> {
  const before = cpuSeconds()
  const begun = performance.now()
  const samples = await runTraffic(sender, callers, { rate, seconds, dice })
  const took = (performance.now() - begun) / 1000
  const after = cpuSeconds()
  const cores = (part: keyof typeof before) => ((after[part] - before[part]) / took).toFixed(2)
  console.log(
    `${name}: ${rate} actions/s, p99 ${computePercentile(samples, 0.99).toFixed(0)} ms, errors ${samples.filter((sample) => !isSuccessful(sample)).length}; cores used: server ${cores('server')}, generator ${cores('generator')}, total ${cores('machine')}`,
  )
  return samples
}

function isSustained(samples: readonly Sample[]): boolean {
  if (!values.busy) return samples.every(isSuccessful) && computePercentile(samples, 0.99) <= WANTED_P99_MS
  const withoutFacets = samples.filter(({ kind }) => kind !== 'facets')
  return withoutFacets.every(isSuccessful) && computePercentile(withoutFacets, 0.99) <= WANTED_BUSY_P99_MS
}

function startBusyProcess(): { stop(): void } {
  const child = spawn(
    process.execPath,
    ['--eval', `setInterval(() => { for (const end = Date.now() + 95; Date.now() < end;); }, 100)`],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  )
  const stop = () => void child.kill('SIGKILL')
  process.on('exit', stop)
  return { stop }
}

/**
 * Raises the rate by a quarter until it fails, then bisects. A single slow second is not enough: a rate fails only if
 * it fails twice.
 */
async function findHighest(): Promise<number> {
  const step = Number(values.step)
  const isSustainedAt = async (rate: number) =>
    isSustained(await run(rate, step, 'search')) || isSustained(await run(rate, step, 'search again'))
  let sustained = 0
  let broken = FIRST_RATE
  for (; await isSustainedAt(broken); broken = Math.ceil(broken * 1.25)) sustained = broken
  while (broken - sustained > Math.max(1, sustained * 0.05)) {
    const middle = Math.round((sustained + broken) / 2)
    if (await isSustainedAt(middle)) sustained = middle
    else broken = middle
  }
  if (sustained === 0) throw new Error(`could not sustain even ${FIRST_RATE} actions/s`)
  return sustained
}

async function holds(rate: number): Promise<boolean> {
  const snapshots: { minute: number; rss: number; heap: number; connections: number }[] = []
  const begun = performance.now()
  const takeSnapshot = async () => {
    const [row] = await db.query<{ n: number }>(
      sql`select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    snapshots.push({ minute: (performance.now() - begun) / 60_000, connections: row!.n, ...(await memory()) })
  }
  const busy = values.busy ? startBusyProcess() : undefined
  const looking = setInterval(() => void takeSnapshot().catch(() => undefined), POLL_INTERVAL_MS)
  const samples = await run(rate, Number(values.minutes) * 60, 'sustained')
  clearInterval(looking)
  busy?.stop()
  console.log(formatLatencyTable(samples))
  console.log(`  p99 per tenth of the run, ms: ${formatLatencyByTenth(samples)}`)
  const minutely = snapshots.filter((_, i) => i % Math.max(1, Math.round(snapshots.length / 10)) === 0)
  const grown = slope(snapshots, 'rss')
  console.log(
    `  resident memory of the server, MB: ${minutely.map(({ rss }) => rss.toFixed(0)).join(' ')}; slope after minute ${SETTLED_AFTER_MINUTES}: ${grown.toFixed(1)} MB/min (heap ${slope(snapshots, 'heap').toFixed(1)}), target ${WANTED_SLOPE}`,
  )
  console.log(`  PostgreSQL connections: at most ${Math.max(...snapshots.map(({ connections }) => connections))}`)
  // The growth of memory is judged only in runs that are long enough to show it.
  return isSustained(samples) && !(Number(values.minutes) > SETTLED_AFTER_MINUTES && grown > WANTED_SLOPE)
}

/** Returns the least-squares slope after `SETTLED_AFTER_MINUTES`, or over the second half of a shorter run. */
function slope(snapshots: readonly { minute: number; rss: number; heap: number }[], of: 'rss' | 'heap'): number {
  const settled = snapshots.filter(({ minute }) => minute >= SETTLED_AFTER_MINUTES)
  const half = settled.length > 1 ? settled : snapshots.slice(Math.floor(snapshots.length / 2))
  const mean = (pick: (snapshot: (typeof half)[number]) => number) =>
    half.reduce((sum, snapshot) => sum + pick(snapshot), 0) / half.length
  const [x, y] = [mean(({ minute }) => minute), mean((snapshot) => snapshot[of])]
  const spread = half.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  return spread === 0
    ? Number.NaN
    : half.reduce((sum, snapshot) => sum + (snapshot.minute - x) * (snapshot[of] - y), 0) / spread
}

async function memory(): Promise<{ rss: number; heap: number }> {
  const figure = await fetchMetrics(server.base)
  return {
    rss: figure('process_resident_memory_bytes') / 2 ** 20,
    heap: figure('nodejs_heap_size_used_bytes') / 2 ** 20,
  }
}

function cpuSeconds(): { server: number; generator: number; machine: number } {
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const { user, system } = process.cpuUsage()
  const machine = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000
  return { server: (Number(fields[11]) + Number(fields[12])) / 100, generator: (user + system) / 1e6, machine }
}
