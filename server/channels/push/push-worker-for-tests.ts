import { setTimeout as sleep } from 'node:timers/promises'
import { notificationChannelJob } from '#server/jobs/channel-job.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { createOutgoingPost, type OutgoingPostFn } from '#server/platform/outgoing/outgoing-post.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import { runDue } from '../../../test/jobs.ts'
import { readArguments, stderrLog } from '../../../test/server/worker-process.ts'
import { createPushSender } from './push-sender.ts'
import type { PushKeys } from './send-push.ts'

// Sends due messages like the worker, and prints a line before and after each request.

const { dataDir, secret, keys, now } = readArguments('dataDir', 'secret', 'keys', 'now')
const db = await openDb({ dataDir })
await releaseAllLeases(db)
const send = createOutgoingPost({ isLoopbackAllowed: true })
let requestCount = 0
const post: OutgoingPostFn = async (address, request) => {
  requestCount += 1
  const requestNumber = requestCount
  console.log(`before ${requestNumber}`)
  const result = await send(address, request)
  console.log(`after ${requestNumber}`)
  // A worker killed here has received the push service's response but not stored it yet.
  await sleep(100)
  return result
}
const mails = createOutgoingMailQueue({ secrets: [secret], baseUrl: () => 'https://tamngan.example' })
const { reader, tokens } = createReportMailDependencies([secret], mails)
const channels = { senders: [createPushSender({ keys: JSON.parse(keys) as PushKeys, post, tokens })], reader }
await runDue(notificationChannelJob, { db, parts: { channels }, log: stderrLog, now: new Date(now) })
process.exit(0)
