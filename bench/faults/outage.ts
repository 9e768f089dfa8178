import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sql from 'sql-template-tag'
import { requestMatching } from '#server/matching/match-requests.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { askForExport } from '../../test/exports.ts'
import { startFaultProxy, throughProxy } from '../../test/server/fault-proxy.ts'
import { type KeptPostgres, startPostgresIn } from '../../test/server/postgres-server.ts'
import { startSmtp } from '../../test/server/smtp-server.ts'
import { readFigures } from '../server/figures.ts'
import { machineLine } from '../server/machine.ts'
import { type OwnServer, startOwnServer } from '../server/own-server.ts'
import { type Asked, startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * The database is stopped under a server that eight people use (R48), as when its machine fails, in good order, and as when the wire
 * to it falls silent (every connection half-open).
 *
 *   npx node bench/faults/outage.ts [--seconds 60] [--rounds immediate,fast,silent] [--port 4427] [--dir FOLDER]
 *
 * Ends with 1 when a promise is broken: while it is away every answer is a 503 with Retry-After within two seconds, `/livez` 200 and `/readyz` 503; when it is
 * back the server finds it without a restart, every acknowledged action is there, what waited (a file, a matching, a mail) is done without anybody's help,
 * the server's memory has not grown, and its log holds a line now and then and not one for each request.
 */
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: 'immediate,fast,silent' },
    port: { type: 'string', default: '4427' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-outage') },
  },
})
const MOST_MS = 2_000
const RECOVERED_WITHIN_MS = 10_000
const GROWN_AT_MOST_MB = 64
/** A minute of lease may have to pass, and the wait after a failed try. */
const JOBS_WITHIN_MS = 150_000
const STEADY_MS = 10_000
/** One in each round: a second mail to the same address waits for a while. */
const ASKS_FOR_PASSWORD: Readonly<Record<How, string>> = {
  immediate: 'manager@noensai.example',
  fast: 'bid@noensai.example',
  silent: 'sales@tharamek.example',
}
/** Until the cached answer of `/readyz` is of the outage. */
const NOTICED_MS = 2_100
const LOG_LINES_PER_SECOND = 1

const endOf = ({ startedAt, ms }: Asked) => startedAt + ms
const seconds = (ms: number) => (ms / 1000).toFixed(1)

type How = 'fast' | 'immediate' | 'silent'

const broken: string[] = []
function promise(kept: boolean, text: string): void {
  if (!kept) broken.push(text)
}

const database = await startPostgresIn(path.join(values.dir, 'postgres'))
if (database === undefined) {
  console.error('outage  NOT MEASURED: there is no PostgreSQL server binary on this machine')
  process.exit(2)
}
const { hostname, port } = new URL(database.url)
const wire = await startFaultProxy({ host: hostname, port: Number(port) })
const smtp = await startSmtp()
let logged = ''
const server = await startOwnServer(
  values.port,
  path.join(values.dir, 'data'),
  { DATABASE_URL: throughProxy(database.url, wire), SMTP_URL: smtp.url, LOG_LEVEL: 'warn' },
  600_000,
  {
    onLog: (text) => {
      logged += text
    },
  },
)
console.log(machineLine())
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

async function round({ base }: OwnServer, postgres: KeptPostgres, how: How): Promise<void> {
  const mailsBefore = smtp.received.length
  const traffic = await startSteadyTraffic(base)
  await sleep(STEADY_MS)
  const memoryBefore = await memoryOf(base)
  await queueJobs(postgres, base, ASKS_FOR_PASSWORD[how])
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

  const during = traffic.asked.filter(({ startedAt, ms }) => startedAt > awayAt && startedAt + ms < backFrom)
  const wrong = during.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)
  const longest = Math.max(0, ...traffic.asked.filter(({ status }) => status === 503).map(({ ms }) => ms))
  const odd = traffic.asked.filter(({ status }) => status !== 200 && status !== 503)
  const good = traffic.asked.filter(({ status, startedAt }) => status === 200 && startedAt > backFrom).map(endOf)
  const bad = traffic.asked.filter(({ status, startedAt }) => status !== 200 && startedAt > backFrom).map(endOf)
  const firstMs = Math.max(0, Math.min(...good) - backAt)
  const allMs = Math.max(0, ...bad.map((at) => at - backAt))
  const memoryAfter = await memoryOf(base)

  console.log(
    `${how}, away for ${Math.round((backFrom - awayAt) / 1000)} s (the start of PostgreSQL itself took ${seconds(backAt - backFrom)} s)`,
  )
  console.log(
    `  while away: ${during.length} answers, longest ${Math.round(longest)} ms; other than 503 with Retry-After: ${wrong.length}`,
  )
  console.log(`  recovery: first 200 after ${seconds(firstMs)} s, all 200 after ${seconds(allMs)} s`)
  console.log(`  acknowledged actions: ${traffic.acknowledged()}, lost: ${lost.length}`)
  console.log(
    `  memory: ${memoryBefore} MB before, highest ${highest} MB while away, ${memoryAfter} MB after; log: ${lines} lines`,
  )
  console.log(
    `  jobs (file, matching, mail) done ${jobsMs === undefined ? 'NEVER' : `${seconds(jobsMs)} s after`} the last request`,
  )

  promise(during.length > 0, `${how}: nothing was asked while it was away`)
  promise(wrong.length === 0, `${how}: ${JSON.stringify(wrong.slice(0, 3))}`)
  promise(longest < MOST_MS, `${how}: a 503 took ${Math.round(longest)} ms`)
  promise(odd.length === 0, `${how}: ${JSON.stringify(odd.slice(0, 3))}`)
  promise(probes.length === 0, `${how}: ${probes[0]}`)
  promise(good.length > 0 && allMs < RECOVERED_WITHIN_MS, `${how}: not recovered within ${RECOVERED_WITHIN_MS} ms`)
  promise(lost.length === 0, `${how}: ${lost.slice(0, 3).join('; ')}`)
  promise(highest - memoryBefore < GROWN_AT_MOST_MB, `${how}: memory grew by ${highest - memoryBefore} MB`)
  promise(jobsMs !== undefined, `${how}: what waited was not done`)
  promise(lines <= 20 + LOG_LINES_PER_SECOND * Number(values.seconds), `${how}: ${lines} lines in the log`)
}

async function statusOf(address: string): Promise<number> {
  return await fetch(address).then(
    ({ status }) => status,
    () => 0,
  )
}

/** Resident memory of the server, as it says itself, in MB. */
async function memoryOf(base: string): Promise<number> {
  const figure = await readFigures(base)
  return Math.round(figure('process_resident_memory_bytes') / 2 ** 20)
}

async function onDatabase<T>({ url }: KeptPostgres, work: (db: OpenDb) => Promise<T>): Promise<T> {
  const db = createDb(await openPostgres(url))
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** What the outage interrupts or finds waiting: a file of a whole report, every list matched anew, and the mail of a forgotten password. */
async function queueJobs(postgres: KeptPostgres, base: string, email: string): Promise<void> {
  await onDatabase(postgres, async (db) => {
    const [asker] = await db.query<{ userId: number; organisationId: number }>(sql`
      select id as "userId", organisation_id as "organisationId" from users where email = 'manager@tharamek.example'`)
    await askForExport(db, { ...asker!, at: new Date() })
    const organisations = await db.query<{ id: number }>(sql`select id from organisations order by id limit 3`)
    for (const { id } of organisations) await db.transaction((tx) => requestMatching(tx, id, { all: true }, new Date()))
  })
  await fetch(`${base}/api/v2/password/reset/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
}

/** Those that are due: mails of the morning and advice of the week wait for their hour. */
async function untilJobsDone(postgres: KeptPostgres, hasMail: () => boolean): Promise<number | undefined> {
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
