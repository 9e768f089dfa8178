import { EgpFeed } from '../../../test/egp-server.ts'
import { runDue } from '../../../test/jobs.ts'
import { openHangingPostgres } from '../../../test/server/hang-at-write.ts'
import { printAndHang, readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { createLocalFeedClient, createTestIntakeDependencies, TestClock } from '../../../test/world/intake-world.ts'
import { intakeJob } from '../intake/intake-job.ts'

// Fetches announcements on a simulated clock, and hangs after the first statement that matches `moment`. Each agency
// publishes one project, announced once for each of the `types`, which are separated by commas.

const { url, at, moment, agencies, types } = readArguments('url', 'at', 'moment', 'agencies', 'types')
const clock = new TestClock(at)
const feed = new EgpFeed(clock)
for (let id = 0; id < Number(agencies); id += 1)
  for (const [place, type] of types.split(',').entries())
    feed.publish({
      agency: String(1000 + id),
      type,
      projectId: String(69_119_000_000 + id),
      title: `ซื้อกล้อง ${id}`,
      at: new Date(`2026-11-23T1${place}:00:00+07:00`),
    })
const db = await openHangingPostgres(url, 1, new RegExp(moment))
const intake = createTestIntakeDependencies(clock, { createFeedClient: () => createLocalFeedClient(feed) })
await runDue(intakeJob, { db, parts: { intake }, log: stderrLog, now: clock.now })
await printAndHang('over')
