import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { replaceAgencies } from '#server/catalogue/intake/agencies.ts'
import type { Ask } from '#server/catalogue/intake/ask-feed.ts'
import { sourceKeySeal } from '#server/catalogue/intake/sources.ts'
import { createFolderStore } from '#server/documents/store/folder-store.ts'
import { intakeJob } from '#server/jobs/intake/intake-job.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runDue } from '../../test/jobs.ts'
import { startPostgresServer } from '../../test/server/postgres-server.ts'
import { machineLine } from '../server/machine.ts'
import { startOwnServer } from '../server/own-server.ts'
import { type Asked, startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * What readers of the report feel while a night of the feed goes on: the real server on PostgreSQL with the sample, eight callers who never stop, and the
 * intake job in a process beside it, as a worker has it. Phases without and with intake follow each other, so that the machine's other work falls on both.
 *
 *   npx node bench/faults/intake-readers.ts [--seconds 70] [--phases 3] [--port 4450] [--load FILE]
 *
 * `pace`: as in a night, a question every 4 s and a small load every half minute. `bad`: ten questions a second, of which two in three are damaged or time
 * out. `--load`: in place of both, one phase without and then one in which the file is taken in whole, as `tamngan import` does it. Wanted: p99 of the report within twice that without. Ends with 1 when it is not.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '70' },
    phases: { type: 'string', default: '3' },
    port: { type: 'string', default: '4450' },
    load: { type: 'string' },
  },
})
const WANTED = 2
const AGENCIES = 2_000

const postgres = await startPostgresServer()
if (!postgres) throw new Error('there is no PostgreSQL on this machine')
const server = await startOwnServer(
  values.port,
  path.join(tmpdir(), `tamngan-bench-readers-${process.pid}`),
  {
    DATABASE_URL: postgres.url,
    JOBS: 'off',
    METRICS: 'open',
    AUTH_SECRET: `${process.pid}-a-secret-for-this-run-of-the-bench-of-the-length-it-has-to-have`,
  },
  900_000,
)
const db = createDb(await openPostgres(postgres.url))
await db.transaction((tx) =>
  replaceAgencies(
    tx,
    Array.from({ length: AGENCIES }, (_, n) => ({ code: String(1_000_000 + n), name: `เทศบาล ${n}` })),
  ),
)
let serial = 0
const bad: Ask = async () => {
  serial += 1
  if (serial % 3 === 1) return { kind: 'damaged', reason: 'no feed' }
  return serial % 3 === 2 && serial % 12 !== 2 ? { kind: 'timeout' } : answered()
}
function answered(): Awaited<ReturnType<Ask>> {
  serial += 1
  const projectId = String(69_990_000_000 + serial)
  const [title, link] = [`ประกวดราคาซื้อกล้องวงจรปิด ${serial}`, `https://process5.gprocurement.go.th/${serial}`]
  const item = { projectId, title, link, method: '', label: '', publishedOn: bangkokToday(new Date()) }
  return { kind: 'answer', answer: { announcements: [item], rejected: [], dayCount: 1, hash: String(serial) } }
}
const PHASES = {
  pace: { ask: async () => answered(), paceMs: 4_000 },
  bad: { ask: bad, paceMs: 100 },
} satisfies Record<string, { ask: Ask; paceMs: number }>

/** The intake as a worker does it, for so long. */
async function fetchFor(ms: number, { ask, paceMs }: { readonly ask: Ask; readonly paceMs: number }): Promise<void> {
  const until = performance.now() + ms
  await db.script(`
    delete from jobs where kind = 'intake'; delete from intake_sources;
    insert into intake_sources (source, is_on, address, contact, opens_at, closes_at, pace_ms) values ('egp-rss', true, 'https://x.example', 'ops@x.example', '00:00', '00:00', ${paceMs});
    insert into jobs (kind, key, payload, requested_at, run_at) values ('intake', 'egp-rss', '{"source":"egp-rss"}', now(), now())`)
  const none = () => {
    throw new Error('nothing else is asked')
  }
  const intake = {
    mails: { link: (to: string) => to, queue: async () => undefined },
    clock: {
      elapsed: () => performance.now(),
      sleep: (wait: number, signal: AbortSignal) => sleep(wait, undefined, { signal }),
    },
    ...{
      dataDir: tmpdir(),
      store: createFolderStore(path.join(tmpdir(), 'tamngan-bench-readers-documents')),
      seal: sourceKeySeal(['nothing is sealed in this bench']),
      createAsk: () => ask,
      createGet: none,
    },
  }
  while (performance.now() < until) {
    const stop = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())))
    await runDue(intakeJob, { db, now: () => new Date(), parts: { intake }, signal: stop }).catch(() => undefined)
    // Five timeouts in a row would close the feed, and a refusal rest it: here it goes on.
    await db.execute(sql`update intake_sources set resume_at = null, timeouts_in_row = 0`)
    await db.execute(
      sql`update jobs set state = 'waiting', run_at = now(), leased_by = null, lease_until = null where kind = 'intake'`,
    )
    await sleep(100)
  }
}

/** A phase of a load: which, and when it began (epoch, ms). */
type Phase = { readonly phase: string; readonly at: number }
const phases: Phase[] = []

/** The whole of a file, in a process of its own as `npm run import` is one: in this one its work would delay the callers, which is not what they wait for. */
async function takeIn(file: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'take-in-file.ts')
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, [script, postgres!.url, path.resolve(file)], { stdio: [...stdio] })
  child.on('message', (begun: Phase) => phases.push(begun))
  const endToo = () => child.kill('SIGKILL')
  process.on('exit', endToo)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.off('exit', endToo)
  if (code !== 0) throw new Error(`the import ended with ${code}`)
}

function percentile(asked: readonly Asked[], share: number): number {
  const sorted = asked.map((one) => one.ms).toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

console.log(machineLine())
const traffic = await startSteadyTraffic(server.base)
const ms = Number(values.seconds) * 1_000
const times: Record<string, Asked[]> = {
  idle: [],
  ...(values.load === undefined ? { pace: [], bad: [] } : { load: [] }),
}
let failed = 0
let bySql = 0
/** Pages and facets that SQL answered so far; the others were answered from memory. */
async function answeredBySql(): Promise<number> {
  const text = await fetch(`${server.base}/metrics`).then((answer) => answer.text())
  return Number(text.match(/^report_answers\{by="sql"\} (\d+)/m)?.[1] ?? Number.NaN)
}
async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const from = traffic.asked.length
  await work()
  const asked = traffic.asked.slice(from).filter(({ what }) => what === 'report')
  times[name]!.push(...asked)
  failed += asked.filter(({ status }) => status !== 200).length
}
await sleep(10_000)
if (values.load !== undefined) {
  await measure('idle', () => sleep(ms))
  const before = await answeredBySql()
  await measure('load', () => takeIn(values.load!))
  bySql = (await answeredBySql()) - before
  await measure('idle', () => sleep(ms))
} else
  for (let phase = 0; phase < Number(values.phases); phase += 1) {
    await measure('idle', () => sleep(ms))
    for (const [name, how] of Object.entries(PHASES)) await measure(name, () => fetchFor(ms, how))
  }
const broken = await traffic.stop()
const [counts] = await db.query<{ loads: number; nights: number }>(sql`
  select (select count(*) from loads where source = 'egp-rss' and state = 'published')::int as loads, (select coalesce(sum(requests), 0) from intake_nights)::int as nights`)
console.log(
  `${counts!.nights} questions, ${counts!.loads} small loads; failed pages ${failed}, broken promises ${broken.length}`,
)
const idle = percentile(times.idle!, 0.99)
for (const [name, all] of Object.entries(times)) {
  const p99 = percentile(all, 0.99)
  console.log(
    `${name.padEnd(5)} ${String(all.length).padStart(6)} pages, p50 ${percentile(all, 0.5).toFixed(0)}, p99 ${p99.toFixed(0)} ms: ${(p99 / idle).toFixed(2)} times`,
  )
  if (p99 > WANTED * idle) process.exitCode = 1
}
if (values.load !== undefined) {
  // When it is slow: in which phase of the load.
  const atOf = ({ startedAt, ms }: Asked) => performance.timeOrigin + startedAt + ms
  for (const [at, { phase, at: from }] of phases.entries()) {
    const until = phases[at + 1]?.at ?? Number.POSITIVE_INFINITY
    const some = times.load!.filter((one) => atOf(one) >= from && atOf(one) < until)
    const [p50, p99] = [percentile(some, 0.5).toFixed(0), percentile(some, 0.99).toFixed(0)]
    console.log(
      `  ${phase.padEnd(9)} ${some.length} pages, p50 ${p50}, p99 ${p99} ms; ${some.filter(({ ms }) => ms > WANTED * idle).length} slower than wanted`,
    )
  }
  console.log(`pages answered by SQL while it was loaded: ${bySql}`)
}
console.log(machineLine())
await db.close()
await server.stop()
await postgres.stop()
