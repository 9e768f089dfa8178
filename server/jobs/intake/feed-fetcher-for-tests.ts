import sql from 'sql-template-tag'
import type { FeedClient } from '#server/catalogue/intake/feed-client.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { EgpFeed } from '../../../test/egp-server.ts'
import { runDue } from '../../../test/jobs.ts'
import { printAndHang, readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { createLocalFeedClient, createTestIntakeDependencies, TestClock } from '../../../test/world/intake-world.ts'
import { intakeJob } from './intake-job.ts'

// Fetches announcements on a simulated clock. Each request is recorded before it is sent; the one after `answers` is
// never answered, and the process prints that and hangs.

const { url, at, answers, agencies, items } = readArguments('url', 'at', 'answers', 'agencies', 'items')
const db = createDb(await openPostgres(url))
const clock = new TestClock(at)
const feed = new EgpFeed(clock)
for (let n = 0; n < Number(agencies) * Number(items); n += 1)
  feed.publish({
    agency: String(1000 + (n % Number(agencies))),
    type: 'D0',
    projectId: String(69_119_000_000 + n),
    title: `ซื้อกล้อง ${n}`,
    at: new Date('2026-11-23T11:00:00+07:00'),
  })
const sendQuery = createLocalFeedClient(feed)
let queryCount = 0
const hangAfterAnswers: FeedClient = async (query, signal) => {
  const question = `${query.agency} ${query.type} ${query.day}`
  await db.execute(sql`insert into asked (run, question) values (${at}, ${question})`)
  queryCount += 1
  if (queryCount > Number(answers)) await printAndHang('under way')
  return await sendQuery(query, signal)
}
const intake = createTestIntakeDependencies(clock, { createFeedClient: () => hangAfterAnswers })
await runDue(intakeJob, { db, parts: { intake }, log: stderrLog, now: clock.now })
await printAndHang('over')
