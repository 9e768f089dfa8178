import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { requestExport } from '../../test/exports.ts'
import { getProxiedUrl, startFaultProxy } from '../../test/server/fault-proxy.ts'
import { type RestartablePostgres, startPostgresIn } from '../../test/server/postgres-server.ts'
import { startSmtpServer } from '../../test/server/smtp-server.ts'
import { fetchMetrics } from '../server/figures.ts'
import { describeMachine } from '../server/machine.ts'
import { type ServerProcess, startServerProcess } from '../server/own-server.ts'
import { type RequestResult, startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * Stops the database under a server with eight active users (R48): a machine failure, an orderly stop, and a silent
 * network (every connection half-open). Exits with 1 when a requirement is broken. During the outage every response is
 * a 503 with Retry-After within two seconds, `/livez` returns 200 and `/readyz` 503. Afterwards the server reconnects
 * without a restart, every acknowledged action is present, pending work (a file, a matching, a mail) completes without
 * intervention, memory has not grown, and the log has occasional lines instead of one per request.
 *
 *   npx node bench/faults/outage.ts [--seconds 60] [--rounds immediate,fast,silent] [--port 4427] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: 'immediate,fast,silent' },
    port: { type: 'string', default: '4427' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-outage') },
  },
})
const MAX_RESPONSE_MS = 2_000
const RECOVERED_WITHIN_MS = 10_000
const MAX_GROWTH_MB = 64
/** Time limit for pending jobs: the one-minute lease of a lost worker, plus the backoff after a failed attempt. */
const JOBS_WITHIN_MS = 150_000
const STEADY_MS = 10_000
/** A different user per round: a second reset mail to the same address is rate-limited. */
const PASSWORD_RESET_USERS: Readonly<Record<How, string>> = {
  immediate: 'manager@noensai.example',
  fast: 'bid@noensai.example',
  silent: 'sales@tharamek.example',
}
/** After this time the cached result of `/readyz` reflects the outage. */
const NOTICED_MS = 2_100
const LOG_LINES_PER_SECOND = 1

const endOf = ({ startedAt, ms }: RequestResult) => startedAt + ms
const seconds = (ms: number) => (ms / 1000).toFixed(1)

type How = 'fast' | 'immediate' | 'silent'

const broken: string[] = []
function promise(isKept: boolean, text: string): void {
  if (!isKept) broken.push(text)
}

const database = await startPostgresIn(path.join(values.dir, 'postgres'))
if (database === undefined) {
  console.error('outage  NOT MEASURED: there is no PostgreSQL server binary on this machine')
  process.exit(2)
}
const { hostname, port } = new URL(database.url)
const wire = await startFaultProxy({ host: hostname, port: Number(port) })
const smtp = await startSmtpServer()
let logged = ''
const server = await startServerProcess(
  values.port,
  path.join(values.dir, 'data'),
  { DATABASE_URL: getProxiedUrl(database.url, wire), SMTP_URL: smtp.url, LOG_LEVEL: 'warn' },
  600_000,
  {
    onLog: (text) => {
      logged += text
    },
  },
)
console.log(describeMachine())
try {
  for (const how of values.rounds.split(',')) await round(server, database, how as How)
} finally {
  await server.stop()
  await smtp.close()
  await wire.close()
  await database.stop('fast')
}
for (const text of broken) console.log(`BROKEN  ${text}`)
process.exit(broken.length === 0 ? 0 : 1)

async function round({ base }: ServerProcess, postgres: RestartablePostgres, how: How): Promise<void> {
  const mailsBefore = smtp.received.length
  const traffic = await startSteadyTraffic(base)
  await sleep(STEADY_MS)
  const memoryBefore = await memoryOf(base)
  await queueJobs(postgres, base, PASSWORD_RESET_USERS[how])
  logged = ''
  if (how === 'silent') wire.set({ kind: 'hang' })
  else await postgres.stop(how)
  const awayAt = performance.now()
  const probes: string[] = []
  let highest = 0
  while (performance.now() - awayAt < Number(values.seconds) * 1000) {
    const late = performance.now() - awayAt > NOTICED_MS
    const [live, ready] = await Promise.all([statusOf(`${base}/livez`), statusOf(`${base}/readyz`)])
    if (late && (live !== 200 || ready !== 503)) probes.push(`/livez ${live} /readyz ${ready}`)
    highest = Math.max(highest, await memoryOf(base))
    await sleep(500)
  }
  const lines = logged.split('\n').length - 1
  const backFrom = performance.now()
  if (how === 'silent') wire.set({ kind: 'pass' })
  else await postgres.start()
  const backAt = performance.now()
  await sleep(STEADY_MS)
  const lost = await traffic.stop()
  const jobsMs = await untilJobsDone(postgres, () => smtp.received.length > mailsBefore)

  const during = traffic.requests.filter(({ startedAt, ms }) => startedAt > awayAt && startedAt + ms < backFrom)
  const wrong = during.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)
  const longestMs = Math.max(0, ...traffic.requests.filter(({ status }) => status === 503).map(({ ms }) => ms))
  const odd = traffic.requests.filter(({ status }) => status !== 200 && status !== 503)
  const good = traffic.requests.filter(({ status, startedAt }) => status === 200 && startedAt > backFrom).map(endOf)
  const bad = traffic.requests.filter(({ status, startedAt }) => status !== 200 && startedAt > backFrom).map(endOf)
  const firstMs = Math.max(0, Math.min(...good) - backAt)
  const allMs = Math.max(0, ...bad.map((at) => at - backAt))
  const memoryAfter = await memoryOf(base)

  console.log(
    `${how}, down for ${Math.round((backFrom - awayAt) / 1000)} s (starting PostgreSQL itself took ${seconds(backAt - backFrom)} s)`,
  )
  console.log(
    `  while down: ${during.length} responses, longest ${Math.round(longestMs)} ms; not 503 with Retry-After: ${wrong.length}`,
  )
  console.log(`  recovery: first 200 after ${seconds(firstMs)} s, all 200 after ${seconds(allMs)} s`)
  console.log(`  acknowledged actions: ${traffic.acknowledged()}, lost: ${lost.length}`)
  console.log(
    `  memory: ${memoryBefore} MB before, highest ${highest} MB while down, ${memoryAfter} MB after; log: ${lines} lines`,
  )
  console.log(
    `  jobs (file, matching, mail) done ${jobsMs === undefined ? 'NEVER' : `${seconds(jobsMs)} s after`} the last request`,
  )

  promise(during.length > 0, `${how}: no request was sent during the outage`)
  promise(wrong.length === 0, `${how}: ${JSON.stringify(wrong.slice(0, 3))}`)
  promise(longestMs < MAX_RESPONSE_MS, `${how}: a 503 took ${Math.round(longestMs)} ms`)
  promise(odd.length === 0, `${how}: ${JSON.stringify(odd.slice(0, 3))}`)
  promise(probes.length === 0, `${how}: ${probes[0]}`)
  promise(good.length > 0 && allMs < RECOVERED_WITHIN_MS, `${how}: not recovered within ${RECOVERED_WITHIN_MS} ms`)
  promise(lost.length === 0, `${how}: ${lost.slice(0, 3).join('; ')}`)
  promise(highest - memoryBefore < MAX_GROWTH_MB, `${how}: memory grew by ${highest - memoryBefore} MB`)
  promise(jobsMs !== undefined, `${how}: queued jobs were not completed`)
  promise(lines <= 20 + LOG_LINES_PER_SECOND * Number(values.seconds), `${how}: too many log lines: ${lines}`)
}

async function statusOf(address: string): Promise<number> {
  return await fetch(address).then(
    ({ status }) => status,
    () => 0,
  )
}

async function memoryOf(base: string): Promise<number> {
  const figure = await fetchMetrics(base)
  return Math.round(figure('process_resident_memory_bytes') / 2 ** 20)
}

async function onDatabase<T>({ url }: RestartablePostgres, work: (db: OpenDb) => Promise<T>): Promise<T> {
  const db = createDb(await openPostgres(url))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/**
 * Queues work that the outage interrupts or delays: a full report export, a rematch of every list, and a password reset
 * mail.
 */
async function queueJobs(postgres: RestartablePostgres, base: string, email: string): Promise<void> {
  await onDatabase(postgres, async (db) => {
    const [asker] = await db.query<{ userId: number; organisationId: number }>(sql`
      select id as "userId", organisation_id as "organisationId" from users where email = 'manager@tharamek.example'`)
    await requestExport(db, { ...asker!, at: new Date() })
    const organisations = await db.query<{ id: number }>(sql`select id from organisations order by id limit 3`)
    for (const { id } of organisations)
      await db.transaction((tx) => enqueueProjectMatchJob(tx, id, { all: true }, new Date()))
  })
  await fetch(`${base}/api/v2/password/reset/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
}

/** Waits until all due jobs are done, except those scheduled for later, such as morning mails and weekly advice. */
async function untilJobsDone(postgres: RestartablePostgres, hasMail: () => boolean): Promise<number | undefined> {
  const startedAt = performance.now()
  return await onDatabase(postgres, async (db) => {
    while (performance.now() - startedAt < JOBS_WITHIN_MS) {
      const [row] = await db.query<{ open: number }>(sql`
        select (select count(*) from jobs where kind <> 'mail' and state <> 'done' and run_at <= now())
          + (select count(*) from mails where state not in ('sent', 'expired')) as open`)
      if (row!.open === 0 && hasMail()) return performance.now() - startedAt
      await sleep(500)
    }
    return undefined
  })
}
