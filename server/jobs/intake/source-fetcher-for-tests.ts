import { runDue } from '../../../test/jobs.ts'
import { openHangingPostgres } from '../../../test/server/hang-at-write.ts'
import { printAndHang, readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { createTestIntakeDependencies, TestClock } from '../../../test/world/intake-world.ts'
import { intakeJob } from './intake-job.ts'

// Runs the due work of a source on a simulated clock until its `writes`-th write.

const { url, dataDir, at, writes } = readArguments('url', 'dataDir', 'at', 'writes')
const db = await openHangingPostgres(url, Number(writes))
const clock = new TestClock(at)
const intake = createTestIntakeDependencies(clock, { dataDir })
// The watched folder is polled every minute, and a file must be unchanged between two polls.
for (let look = 0; look < 4; look += 1) {
  await runDue(intakeJob, { db, parts: { intake }, log: stderrLog, now: clock.now })
  clock.pass(61_000)
}
await printAndHang('over')
