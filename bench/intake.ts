import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import sql from 'sql-template-tag'
import { addDays, countDaysBetween, getBangkokToday } from '#contract/thai/thai-date.ts'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import {
  FEED_REQUEST_TIMEOUT_MS,
  type FeedClient,
  parseFeedRequestOutcome,
} from '#server/catalogue/intake/feed-client.ts'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import {
  createIntakeSourceKeyCipher,
  listNightlyRuns,
  readFeedCoverage,
} from '#server/catalogue/intake/intake-sources.ts'
import { isWeekend, toBangkokDateTime } from '#server/catalogue/intake/opening-hours.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { intakeJob } from '#server/jobs/intake/intake-job.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { EgpFeed } from '../test/egp-server.ts'
import { runDue } from '../test/jobs.ts'
import { startPostgresServer } from '../test/server/postgres-server.ts'
import { TestClock } from '../test/world/intake-world.ts'
import { createSeededRandom } from '../test/world/seeded.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Simulates nights of the feed in accelerated time on PostgreSQL: 7,869 agencies, 600 invitations a working day
 * distributed like the e-bidding of a real fiscal year, a night when the feed is closed, one in which it starts
 * rejecting requests, and three restarts that lose everything but the database. Starts without knowing any agency.
 * Prints the requests per night, the shortest gap between two, the maximum concurrency, the share of a day's
 * invitations stored by 08:30 of the next morning and of the one after, the longest delay from arrival to report, bell
 * and mail, and the lost invitations. Exits with 1 when a target is missed or `../shared/data` is missing.
 *
 *   npx node bench/intake.ts [--nights 30] [--seed 1]
 */
const { values } = parseArgs({
  options: { nights: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
})
const NIGHTS = Number(values.nights)
const AGENCIES = 7_869
/**
 * Announcements of a working day in 2568 by type. Winners, drafts and cancellations are roughly in the proportions of
 * 1,233 real items; methods other than e-bidding are excluded.
 */
const A_DAY = { D0: 600, B0: 100, W0: 550, D1: 60, '15': 100 } as const
const FIRST = '2026-11-02'
const CLOSED_NIGHT = addDays(FIRST, 9)
const REFUSED_NIGHT = addDays(FIRST, 22)
const RESTART_NIGHTS = [3, 11, 19].map((nights) => addDays(FIRST, nights))
/** Response time of the simulated feed; real responses took 0.35 to 0.54 s. */
const ANSWER_MS = 450
const DATA = path.join(import.meta.dirname, '../../shared/data/egp-2568-competitive-53736.csv.gz')

console.log(describeMachine(`seed ${values.seed}`, `${NIGHTS} nights`))
const random = createSeededRandom(Number(values.seed))
const clock = new TestClock(`${FIRST}T17:00:00+07:00`)
const feed = new EgpFeed(clock)
const codes = Array.from({ length: AGENCIES }, (_, n) => String(1_000_000 + ((n * 7_919) % 9_000_000)))
const published = publishAll(weights())
const server = await startPostgresServer()
if (!server) throw new Error('PostgreSQL is not installed on this machine')
const db = createDb(await openPostgres(server.url))
await migrateDatabase(db)
await db.transaction(
  async (tx) => {
    const agencies = codes.map((code) => ({ code, name: `หน่วยงาน ${code}`, province: null }))
    await replaceAgencyDirectory(tx, [], agencies, clock.now())
    await replaceFeedAgencies(tx, agencies)
  },
  { idleTimeoutMs: 0 },
)
await runIntake(db, { command: 'on', source: 'egp-rss', changes: { contact: 'ops@tamngan.example' } }, clock.now())
const lastMorning = toBangkokDateTime(addDays(FIRST, NIGHTS), '09:00')
await live()
await report()
await db.close()
await server.stop()

function weights(): number[] {
  const rows = parse(gunzipSync(readFileSync(DATA)), { columns: true }) as {
    dept_name: string
    purchase_method_name: string
  }[]
  const counts = new Map<string, number>()
  for (const { dept_name: name, purchase_method_name: method } of rows)
    if (method.includes('e-bidding')) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts.values()].sort((a, b) => b - a).slice(0, AGENCIES)
}

/**
 * Publishes everything from a week before the first night on, during office hours of working days. Returns the
 * invitations.
 */
function publishAll(counts: readonly number[]) {
  const upTo: number[] = []
  let total = 0
  for (const count of counts) {
    total += count
    upTo.push(total)
  }
  const agencyAt = (point: number) => codes[upTo.findIndex((end) => point < end)]!
  const invitations: { projectId: string; at: Date; day: string }[] = []
  let serial = 0
  for (let day = addDays(FIRST, -7); day < addDays(FIRST, NIGHTS); day = addDays(day, 1)) {
    if (isWeekend(day)) continue
    for (const [type, count] of Object.entries(A_DAY))
      for (let n = 0; n < count; n += 1) {
        serial += 1
        const at = new Date(toBangkokDateTime(day, '08:30').getTime() + random() * 9 * 3_600_000)
        const projectId = String(69_110_000_000 + serial)
        feed.publish({ agency: agencyAt(random() * total), type, projectId, title: `ประกวดราคาซื้อ ${serial}`, at })
        if (type === 'D0') invitations.push({ projectId, at, day })
      }
  }
  return invitations
}

async function live(): Promise<void> {
  const killed = new Set<string>()
  const fetchFeed: FeedClient = async (question) => {
    const day = getBangkokToday(new Date(clock.now().getTime() - 12 * 3_600_000))
    const midnight = toBangkokDateTime(addDays(day, 1), '00:30')
    feed.fault = day === CLOSED_NIGHT ? 'hang' : day === REFUSED_NIGHT && clock.now() > midnight ? 'tooMany' : undefined
    const reply = feed.begin(question)
    clock.pass(reply.kind === 'hang' ? FEED_REQUEST_TIMEOUT_MS : ANSWER_MS)
    feed.end()
    if (RESTART_NIGHTS.includes(day) && clock.now() > midnight && !killed.has(day)) {
      killed.add(day)
      throw new Error('killed')
    }
    if (reply.kind === 'xml') return parseFeedRequestOutcome(reply.bytes)
    return reply.kind === 'hang' ? { kind: 'timeout' } : { kind: 'refused', reason: 'HTTP 429' }
  }
  const mails: OutgoingMailQueue = { link: (path) => path, queue: async () => undefined }
  const none = () => {
    throw new Error('unexpected request: this bench reads only the feed')
  }
  const seal = createIntakeSourceKeyCipher(['nothing is sealed in this bench'])
  const [dataDir, store] = [tmpdir(), createFolderDocumentStore(tmpdir())]
  const parts = { intake: { clock, mails, seal, dataDir, store, createFeedClient: () => fetchFeed, createGet: none } }
  let day = ''
  for (;;) {
    const [job] = await db.query<{ at: string }>(
      sql`select run_at as at from jobs where kind = 'intake' and state = 'waiting'`,
    )
    if (!job) throw new Error('the source halted')
    if (new Date(job.at) >= lastMorning) break
    clock.passUntil(new Date(job.at))
    await runDue(intakeJob, { db, now: clock.now, parts })
    if (getBangkokToday(clock.now()) === day) continue
    day = getBangkokToday(clock.now())
    process.stderr.write(`${day} `)
  }
  clock.passUntil(lastMorning)
}

async function report(): Promise<void> {
  const seen = new Map(
    (
      await db.query<{ id: string; at: string }>(
        sql`select project_id as id, first_seen_at as at from intake_announcements where type = 'D0'`,
      )
    ).map(({ id, at }) => [id, new Date(at)]),
  )
  // Exclude invitations from before the first evening, which the initial sweep collects, and the last ones, which had
  // no two mornings.
  const counted = published.filter(({ day }) => day >= FIRST && countDaysBetween(day, addDays(FIRST, NIGHTS)) > 2)
  const thereBy = (mornings: number) =>
    counted.filter(({ projectId, day }) => {
      const at = seen.get(projectId)
      return at !== undefined && at <= toBangkokDateTime(addDays(day, mornings), '08:30')
    }).length / counted.length
  const lost = counted.filter(({ projectId }) => !seen.has(projectId)).length
  const nights = (await listNightlyRuns(db, 'egp-rss', NIGHTS)).reverse()
  console.log(`\nnight       outcome    planned  requests  new    full`)
  for (const night of nights)
    console.log(
      `${night.night}  ${String(night.outcome).padEnd(9)} ${String(night.planned).padStart(8)}  ${String(night.requests).padStart(8)}  ${String(night.newItems).padStart(5)}  ${night.fullAnswers}`,
    )
  const maxRequests = Math.max(...nights.map(({ requests }) => requests))
  const shares = [thereBy(1), thereBy(2)] as const
  const { missing } = await readFeedCoverage(db, 'egp-rss', clock.now())
  // Delay in simulated time plus the load's real duration; bell and mail are created in the load's transaction.
  const [slowest] = await db.query<{ seconds: number; loads: number; load: number; longest: number }>(sql`
    select (select extract(epoch from max(applied_at - first_seen_at))::float8 from intake_announcements where changed_at is null) as seconds,
      count(*)::int as loads, avg(extract(epoch from published_at - started_at))::float8 as load,
      max(extract(epoch from published_at - started_at))::float8 as longest from loads where night is not null`)
  const { seconds, loads, load, longest } = slowest!
  console.log(`small loads: ${loads}, ${(load * 1000).toFixed(0)} ms each, longest ${longest.toFixed(1)} s`)
  const figures: [name: string, value: string, isReached: boolean][] = [
    ['requests per night, maximum', String(maxRequests), maxRequests <= 13_500],
    ['shortest gap between requests, ms', String(feed.closestMs), feed.closestMs >= 4_000],
    ['parallel requests', String(feed.parallel), feed.parallel === 0],
    ['imported by 08:30 the next morning', `${(shares[0] * 100).toFixed(2)} %`, shares[0] >= 0.8],
    ['imported within two mornings', `${(shares[1] * 100).toFixed(2)} %`, shares[1] >= 0.99],
    ['delay to report, bell and mail, s', (seconds + longest).toFixed(1), seconds + longest <= 60],
    ['lost', `${lost} of ${counted.length}; ${missing} counted as missing`, lost === 0],
  ]
  for (const [name, value, isReached] of figures)
    console.log(`${name.padEnd(38)} ${value}${isReached ? '' : '   MISSED'}`)
  if (figures.some(([, , isReached]) => !isReached)) process.exitCode = 1
}
