import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { readFigures } from './server/figures.ts'
import { startLoadServer } from './server/load-server.ts'
import {
  createDice,
  createSender,
  drive,
  inTenths,
  isGood,
  percentile,
  type Sample,
  table,
} from './server/load-traffic.ts'

/**
 * The highest rate of mixed use that the real server holds with p99 ≤ 300 ms and without an error, and what ten minutes of it do to its memory:
 * 80 % report reads (a page and its facets, as a browser asks for both), 15 % detail, 5 % actions, by users of 17 organisations with 12,000 to
 * 20,000 matches among a million projects on PostgreSQL. Rates are deeds a second (1.8 requests each), at random moments that do not wait for
 * answers. Server, database and this generator share the machine: the generator's own share of it is printed.
 *
 *   npx node bench/load.ts [--minutes 10] [--step 60] [--warm 90] [--rate N] [--busy] [--projects 1000000] [--dir FOLDER] [--port 4330]
 *
 * `--rate` skips the search. `--busy`: another process takes a core of the machine meanwhile; then pages, details and actions alone must stay within 500 ms and none
 * of them be refused. Also fails when resident memory grows by more than 5 MB a minute after the third. The data are built once in FOLDER and kept (4 minutes at a million). About 20 minutes otherwise.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    step: { type: 'string', default: '60' },
    warm: { type: 'string', default: '90' },
    rate: { type: 'string' },
    busy: { type: 'boolean', default: false },
    projects: { type: 'string', default: '1000000' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-load') },
    port: { type: 'string', default: '4330' },
  },
})
const WANTED_P99_MS = 300
const WANTED_P99_BESIDE_BUSY_MS = 500
const WANTED_SLOPE = 5
/** What is read once has been read by then. */
const SETTLED_AFTER_MINUTES = 3
const USERS_EACH = 20
const FIRST_RATE = 40
/** While it warms up the columns are read, and SQL answers. */
const WARM_UP_RATE = 8
const LOOK_EVERY_MS = 5_000

const { server, db, callers, close } = await startLoadServer({
  ...values,
  usersEach: USERS_EACH,
  env: { RATE_LIMIT_FACTOR: '1' },
})
const sender = createSender(server.base, 256)
const dice = createDice(8)
try {
  await run(WARM_UP_RATE, Number(values.warm), 'warming up')
  const highest = values.rate === undefined ? await findHighest() : Number(values.rate)
  let rate = highest
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (await holds(rate)) {
      console.log(`HELD for ${values.minutes} minutes: ${rate} deeds/s = ${(rate * 1.8).toFixed(0)} requests/s`)
      break
    }
    process.exitCode = attempt === 2 ? 1 : 0
    rate = Math.floor(rate * 0.9)
  }
} finally {
  sender.close()
  await close()
}

async function run(rate: number, seconds: number, name: string): Promise<Sample[]> {
  const before = cpuSeconds()
  const begun = performance.now()
  const samples = await drive(sender, callers, { rate, seconds, dice })
  const took = (performance.now() - begun) / 1000
  const after = cpuSeconds()
  const cores = (part: keyof typeof before) => ((after[part] - before[part]) / took).toFixed(2)
  console.log(
    `${name}: ${rate} deeds/s, p99 ${percentile(samples, 0.99).toFixed(0)} ms, errors ${samples.filter((sample) => !isGood(sample)).length}; cores used: server ${cores('server')}, generator ${cores('generator')}, all together ${cores('machine')}`,
  )
  return samples
}

function isSustained(samples: readonly Sample[]): boolean {
  if (!values.busy) return samples.every(isGood) && percentile(samples, 0.99) <= WANTED_P99_MS
  const looked = samples.filter(({ kind }) => kind !== 'facets')
  return looked.every(isGood) && percentile(looked, 0.99) <= WANTED_P99_BESIDE_BUSY_MS
}

/** Takes one core until it is stopped; it ends with this process. */
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

/** By a quarter until it breaks, then halving what is between. One slow second is not yet a rate that is too high: it counts when it breaks twice. */
async function findHighest(): Promise<number> {
  const step = Number(values.step)
  const isSustainedAt = async (rate: number) =>
    isSustained(await run(rate, step, 'search')) || isSustained(await run(rate, step, 'search again'))
  let held = 0
  let broken = FIRST_RATE
  for (; await isSustainedAt(broken); broken = Math.ceil(broken * 1.25)) held = broken
  while (broken - held > Math.max(1, held * 0.05)) {
    const middle = Math.round((held + broken) / 2)
    if (await isSustainedAt(middle)) held = middle
    else broken = middle
  }
  if (held === 0) throw new Error(`not even ${FIRST_RATE} deeds a second were held`)
  return held
}

async function holds(rate: number): Promise<boolean> {
  const looks: { minute: number; rss: number; heap: number; connections: number }[] = []
  const begun = performance.now()
  const look = async () => {
    const [row] = await db.query<{ n: number }>(
      sql`select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    looks.push({ minute: (performance.now() - begun) / 60_000, connections: row!.n, ...(await memory()) })
  }
  const busy = values.busy ? startBusyProcess() : undefined
  const looking = setInterval(() => void look().catch(() => undefined), LOOK_EVERY_MS)
  const samples = await run(rate, Number(values.minutes) * 60, 'sustained')
  clearInterval(looking)
  busy?.stop()
  console.log(table(samples))
  console.log(`  p99 of each tenth of the time, ms: ${inTenths(samples)}`)
  const minutely = looks.filter((_, i) => i % Math.max(1, Math.round(looks.length / 10)) === 0)
  const grown = slope(looks, 'rss')
  console.log(
    `  resident memory of the server, MB: ${minutely.map(({ rss }) => rss.toFixed(0)).join(' ')}; slope after minute ${SETTLED_AFTER_MINUTES}: ${grown.toFixed(1)} MB a minute (heap ${slope(looks, 'heap').toFixed(1)}), wanted ${WANTED_SLOPE}`,
  )
  console.log(`  PostgreSQL connections: at most ${Math.max(...looks.map(({ connections }) => connections))}`)
  // Of a shorter run the slope says nothing.
  return isSustained(samples) && !(Number(values.minutes) > SETTLED_AFTER_MINUTES && grown > WANTED_SLOPE)
}

/** Least squares over the time after `SETTLED_AFTER_MINUTES`, or over the second half of a shorter run. */
function slope(looks: readonly { minute: number; rss: number; heap: number }[], of: 'rss' | 'heap'): number {
  const settled = looks.filter(({ minute }) => minute >= SETTLED_AFTER_MINUTES)
  const half = settled.length > 1 ? settled : looks.slice(Math.floor(looks.length / 2))
  const mean = (pick: (look: (typeof half)[number]) => number) =>
    half.reduce((sum, look) => sum + pick(look), 0) / half.length
  const [x, y] = [mean(({ minute }) => minute), mean((look) => look[of])]
  const spread = half.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  return spread === 0 ? Number.NaN : half.reduce((sum, look) => sum + (look.minute - x) * (look[of] - y), 0) / spread
}

/** Megabytes of the server: resident, and used heap as its own metrics say. */
async function memory(): Promise<{ rss: number; heap: number }> {
  const figure = await readFigures(server.base)
  return {
    rss: figure('process_resident_memory_bytes') / 2 ** 20,
    heap: figure('nodejs_heap_size_used_bytes') / 2 ** 20,
  }
}

/** Processor seconds so far, in hundredths as Linux counts them. */
function cpuSeconds(): { server: number; generator: number; machine: number } {
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const { user, system } = process.cpuUsage()
  const machine = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000
  return { server: (Number(fields[11]) + Number(fields[12])) / 100, generator: (user + system) / 1e6, machine }
}
