import sql from 'sql-template-tag'
import { openDb } from '#server/platform/engine/open-db.ts'
import { runDue } from '../../../test/jobs.ts'
import { readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { projectMatchJob } from '../match-job.ts'

// Runs the due matching and prints the number of stored matches every 5 ms.

const { dataDir } = readArguments('dataDir')
const db = await openDb({ dataDir })
setInterval(async () => {
  const [row] = await db.query<{ n: number }>(sql`select count(*) as n from project_matches`)
  console.log(row!.n)
}, 5)
await runDue(projectMatchJob, { db, log: stderrLog, now: () => new Date() })
console.log('done')
