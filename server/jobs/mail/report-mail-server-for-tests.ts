import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import { runDue } from '../../../test/jobs.ts'
import { readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { runDataLoad, withDataLoadLease } from '../load/run-load.ts'
import { reportMailJob } from './report-mail-job.ts'

// Loads a file like `npm run import`, then composes report mails like the server. Prints the progress of the load and
// the number of queued mails.

const { dataDir, file, secret } = readArguments('dataDir', 'file', 'secret')
const db = await openDb({ dataDir })
await releaseAllLeases(db)
const { source, fingerprint } = await openFeedFile(file)
const published = await db.query(sql`
  select 1 from loads where state = 'published' and fingerprint = ${fingerprint}`)
if (published.length === 0)
  await withDataLoadLease(db, (lease) =>
    runDataLoad(db, lease, source, {
      origin: file,
      fingerprint,
      today: '2026-11-21',
      onProgress: ({ phase, done }) => console.log(phase, done),
    }),
  )
console.log('loaded')
async function printMailCounts(): Promise<never> {
  for (;;) {
    const [row] = await db.query<{ n: number }>(sql`select count(*) as n from mails`)
    console.log('queued', row!.n)
    await sleep(5)
  }
}
void printMailCounts()
const mails = createOutgoingMailQueue({ secrets: [secret], baseUrl: () => 'https://tamngan.example' })
const parts = { reportMail: createReportMailDependencies([secret], mails) }
await runDue(reportMailJob, { db, parts, log: stderrLog, now: () => new Date() })
console.log('over')
process.exit(0)
