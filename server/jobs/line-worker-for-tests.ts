import { createLineDependencies } from '#server/channels/line/line-dependencies.ts'
import { createLineSender } from '#server/channels/line/line-sender.ts'
import type { LineSettings } from '#server/channels/line/line-settings.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import { runDue } from '../../test/jobs.ts'
import { hangAtWrite } from '../../test/server/hang-at-write.ts'
import { printAndHang, readArguments, stderrLog } from '../../test/server/worker-process.ts'
import { notificationChannelJob } from './channel-job.ts'

// Sends messages like the server, and hangs after the `after`-th write or when every message is sent.

const { dataDir, secret, settings, after, now } = readArguments('dataDir', 'secret', 'settings', 'after', 'now')
const db = hangAtWrite(await openDb({ dataDir }), Number(after))
await releaseAllLeases(db)
const mails = createOutgoingMailQueue({ secrets: [secret], baseUrl: () => 'https://tamngan.example' })
const line = createLineDependencies(JSON.parse(settings) as LineSettings, [secret], mails)
const channels = { senders: [createLineSender(line)], reader: createReportMailDependencies([secret], mails).reader }
await runDue(notificationChannelJob, { db, parts: { channels }, log: stderrLog, now: new Date(now) })
await printAndHang('under way')
