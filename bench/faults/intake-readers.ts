import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { FeedClient } from '#server/catalogue/intake/feed-client.ts'
import { createIntakeSourceKeyCipher } from '#server/catalogue/intake/intake-sources.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { intakeJob } from '#server/jobs/intake/intake-job.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runDue } from '../../test/jobs.ts'
import { startPostgresServer } from '../../test/server/postgres-server.ts'
import { describeMachine } from '../server/machine.ts'
import { startServerProcess } from '../server/own-server.ts'
import { type RequestResult, startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * Measures report latency during a night of feed intake: the real server on PostgreSQL with the demo data, eight
 * constantly active callers, and the intake job as a worker runs it. Phases with and without intake alternate, so that
 * other load on the machine affects both. `pace`: a query every 4 s and a small load every half minute, as in a night.
 * `bad`: ten queries a second, two thirds of them damaged or timing out. `--load` replaces both: one phase without and
 * then one in which the whole file is imported as by `tamngan import`. Target: p99 of the report at most twice that
 * without intake; otherwise exits with 1.
 *
 *   npx node bench/faults/intake-readers.ts [--seconds 70] [--phases 3] [--port 4450] [--load FILE]
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
if (!postgres) throw new Error('PostgreSQL is not installed on this machine')
const server = await startServerProcess(
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
  replaceFeedAgencies(
    tx,
    Array.from({ length: AGENCIES }, (_, n) => ({ code: String(1_000_000 + n), name: `เทศบาล ${n}` })),
  ),
)
let serial = 0
const bad: FeedClient = async () => {
  serial += 1
  if (serial % 3 === 1) return { kind: 'damaged', reason: 'no feed' }
  return serial % 3 === 2 && serial % 12 !== 2 ? { kind: 'timeout' } : answered()
}
function answered(): Awaited<ReturnType<FeedClient>> {
  serial += 1
  const projectId = String(69_990_000_000 + serial)
  const [title, link] = [`ประกวดราคาซื้อกล้องวงจรปิด ${serial}`, `https://process5.gprocurement.go.th/${serial}`]
  const item = { projectId, title, link, method: '', label: '', publishedOn: getBangkokToday(new Date()) }
  return {
    kind: 'answer',
    response: { announcements: [item], rejected: [], isRepaired: false, dayCount: 1, hash: String(serial) },
  }
}
const PHASES = {
  pace: { ask: async () => answered(), paceMs: 4_000 },
  bad: { ask: bad, paceMs: 100 },
} satisfies Record<string, { ask: FeedClient; paceMs: number }>

async function fetchFor(
  ms: number,
  { ask, paceMs }: { readonly ask: FeedClient; readonly paceMs: number },
): Promise<void> {
  const until = performance.now() + ms
  await db.script(`
    delete from jobs where kind = 'intake'; delete from intake_sources;
    insert into intake_sources (source, is_on, address, contact, opens_at, closes_at, pace_ms) values ('egp-rss', true, 'https://x.example', 'ops@x.example', '00:00', '00:00', ${paceMs});
    insert into jobs (kind, key, payload, requested_at, run_at) values ('intake', 'egp-rss', '{"source":"egp-rss"}', now(), now())`)
  const none = () => {
    throw new Error('unexpected request: this bench reads only the feed')
  }
  const intake = {
    mails: { link: (to: string) => to, queue: async () => undefined },
    clock: {
      elapsed: () => performance.now(),
      sleep: (wait: number, signal: AbortSignal) => sleep(wait, undefined, { signal }),
    },
    ...{
      dataDir: tmpdir(),
      store: createFolderDocumentStore(path.join(tmpdir(), 'tamngan-bench-readers-documents')),
      seal: createIntakeSourceKeyCipher(['nothing is sealed in this bench']),
      createFeedClient: () => ask,
      createGet: none,
    },
  }
  while (performance.now() < until) {
    const stop = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())))
    await runDue(intakeJob, { db, now: () => new Date(), parts: { intake }, signal: stop }).catch(() => undefined)
    // Resets the state of the feed, because five consecutive timeouts would close it and a rejection would start a
    // cooldown, but the intake must continue.
    await db.execute(sql`update intake_sources set resume_at = null, timeouts_in_row = 0`)
    await db.execute(
      sql`update jobs set state = 'waiting', run_at = now(), leased_by = null, lease_until = null where kind = 'intake'`,
    )
    await sleep(100)
  }
}

/** A phase of the measurement. `at`: its start in epoch ms. */
type Phase = { readonly phase: string; readonly at: number }
const phases: Phase[] = []

/**
 * Imports a whole file in a separate process, as `npm run import` does. In this process the import would delay the
 * callers themselves, which is not what is measured.
 */
async function takeIn(file: string): Promise<void> {
  const script = path.join(import.meta.dirname, 'take-in-file.ts')
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
  const child = spawn(process.execPath, [script, postgres!.url, path.resolve(file)], { stdio: [...stdio] })
  child.on('message', (begun: Phase) => phases.push(begun))
  const endToo = () => child.kill('SIGKILL')
  process.on('exit', endToo)
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  process.off('exit', endToo)
  if (code !== 0) throw new Error(`the import exited with code ${code}`)
}

function percentile(requests: readonly RequestResult[], share: number): number {
  const sorted = requests.map((request) => request.ms).toSorted((a, b) => a - b)
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
}

console.log(describeMachine())
const traffic = await startSteadyTraffic(server.base)
const ms = Number(values.seconds) * 1_000
const times: Record<string, RequestResult[]> = {
  idle: [],
  ...(values.load === undefined ? { pace: [], bad: [] } : { load: [] }),
}
let failed = 0
let bySql = 0
async function answeredBySql(): Promise<number> {
  const text = await fetch(`${server.base}/metrics`).then((answer) => answer.text())
  return Number(text.match(/^report_answers\{by="sql"\} (\d+)/m)?.[1] ?? Number.NaN)
}
async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const from = traffic.requests.length
  await work()
  const reportRequests = traffic.requests.slice(from).filter(({ what }) => what === 'report')
  times[name]!.push(...reportRequests)
  failed += reportRequests.filter(({ status }) => status !== 200).length
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
  `${counts!.nights} requests to the source, ${counts!.loads} small loads; failed pages ${failed}, lost actions ${broken.length}`,
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
  const atOf = ({ startedAt, ms }: RequestResult) => performance.timeOrigin + startedAt + ms
  for (const [at, { phase, at: from }] of phases.entries()) {
    const until = phases[at + 1]?.at ?? Number.POSITIVE_INFINITY
    const some = times.load!.filter((request) => atOf(request) >= from && atOf(request) < until)
    const [p50, p99] = [percentile(some, 0.5).toFixed(0), percentile(some, 0.99).toFixed(0)]
    console.log(
      `  ${phase.padEnd(9)} ${some.length} pages, p50 ${p50}, p99 ${p99} ms; ${some.filter(({ ms }) => ms > WANTED * idle).length} slower than the target`,
    )
  }
  console.log(`pages answered by SQL during the load: ${bySql}`)
}
console.log(describeMachine())
await db.close()
await server.stop()
await postgres.stop()
