import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import { readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { webhookTestDependencies } from '../../../test/world/webhook-world.ts'
import { webhookJob } from './webhook-job.ts'

// A worker as in `npm run worker`, with its clock advanced by `aheadMs`, so that leases of killed workers have expired.

const { url, aheadMs } = readArguments('url', 'aheadMs')
const db = createDb(await openPostgres(url))
const now = () => new Date(Date.now() + Number(aheadMs))
startQueueWorker({ db, kinds: [webhookJob], parts: webhookTestDependencies, log: stderrLog, now })
