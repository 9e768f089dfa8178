import { setTimeout as sleep } from 'node:timers/promises'
import { demoDataSetup } from '#sample/sample.ts'
import { createFeedClient } from '#server/catalogue/intake/feed-client.ts'
import { createIntakeSourceKeyCipher } from '#server/catalogue/intake/intake-sources.ts'
import { createLineDependencies, type LineDependencies } from '#server/channels/line/line-dependencies.ts'
import { createLineSender } from '#server/channels/line/line-sender.ts'
import { refreshLineAccountStatus } from '#server/channels/line/refresh-line-account-status.ts'
import { createPushSender } from '#server/channels/push/push-sender.ts'
import type { PushDependencies } from '#server/channels/push/send-push.ts'
import { createWebhookSecretCipher } from '#server/channels/webhook/webhook-signature.ts'
import { unpackBundle } from '#server/documents/bundle/unpack-bundle.ts'
import { requestImageOcrForTrackedProjects } from '#server/documents/picture/image-ocr-job.ts'
import { readOcrFacts, readPageImages } from '#server/documents/picture/read-page-images.ts'
import type { TesseractBinary } from '#server/documents/picture/tesseract.ts'
import { readDocument } from '#server/documents/read-document.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { refreshBudget } from '#server/jobs/intake/refresh-budget.ts'
import { JOB_KINDS, type JobHandlerDependencies } from '#server/jobs/job-kinds.ts'
import { scheduleNightlyLoad } from '#server/jobs/load/nightly-schedule.ts'
import { mailJob } from '#server/jobs/mail/mail-job.ts'
import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { createSmtpTransport, localOutboxTransport, type MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { createOutgoingGet } from '#server/platform/outgoing/outgoing-get.ts'
import { createOutgoingPost } from '#server/platform/outgoing/outgoing-post.ts'
import type { JobLog } from '#server/platform/queue/job.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import { runPeriodically, type StoppableTask } from '#server/platform/queue/run-periodically.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createMailLinkBuilder } from '#server/report/mail/build-mail-links.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import type { Settings } from './settings.ts'

const POLL_INTERVAL_MS = 1_000

function scheduleBudget(db: Db, log: JobLog, now: () => Date = () => new Date()): StoppableTask {
  return runPeriodically({
    everyMs: POLL_INTERVAL_MS,
    work: (signal) => refreshBudget(db, { now, signal }),
    onFailure: (error) => log.error({ err: error }, 'budget refresh failed'),
  })
}

/**
 * Interval at which tracked projects are rechecked, because a user may start tracking a project after its documents
 * were scanned.
 */
const TRACKED_INTERVAL_MS = 10 * 60_000

function schedulePictures(db: Db, log: JobLog): StoppableTask {
  return runPeriodically({
    everyMs: TRACKED_INTERVAL_MS,
    work: async () => void (await db.transaction((tx) => requestImageOcrForTrackedProjects(tx, new Date()))),
    onFailure: (error) => log.error({ err: error }, 'queueing pictures of tracked projects failed'),
  })
}

const LINE_INTERVAL_MS = 10 * 60_000

function scheduleLine(db: Db, line: LineDependencies, log: JobLog): StoppableTask {
  return runPeriodically({
    everyMs: LINE_INTERVAL_MS,
    work: (signal) => refreshLineAccountStatus(db, line, new Date(), signal),
    onFailure: (error) => log.error({ err: error }, 'storing the state of the LINE account failed'),
  })
}

type ScheduleParts = {
  readonly tesseract: TesseractBinary | undefined
  readonly store: DocumentStore
  readonly push: PushDependencies
  readonly secrets: readonly [string, ...string[]]
  readonly baseUrl: () => string
  readonly log: RouteApp['log']
  readonly reports: ReportEngine
  readonly awards: AwardCache | undefined
}

/**
 * Starts all background work: nightly load, budget and queue jobs. Any number of processes may do so on one PostgreSQL:
 * each piece of work is claimed under a lease (R52).
 */
export function startBackgroundWork(
  db: Db,
  settings: Settings,
  { store, push, secrets, baseUrl, log, reports, awards, tesseract }: ScheduleParts,
): StoppableTask {
  const transport = mailTransport(settings)
  const mails = createOutgoingMailQueue({ secrets, baseUrl })
  const reportMail = createReportMailDependencies(secrets, mails, reports)
  const line = settings.line && createLineDependencies(settings.line, secrets, mails)
  const parts: JobHandlerDependencies = {
    line,
    reports,
    reportMail,
    questions: {
      mails,
      awards,
      linksFor: (userId, now) => createMailLinkBuilder(reportMail, userId, now),
    },
    delivery: { seal: createMailCipher(secrets), transport: transport ?? localOutboxTransport },
    documents: {
      store,
      read: readDocument,
      unpack: unpackBundle,
      quotaBytes: settings.documentQuotaMb * 1_000_000,
      readsPictures: tesseract !== undefined,
    },
    pictures: tesseract && {
      store,
      read: (location, signal) => readPageImages(tesseract, location, signal),
      facts: readOcrFacts,
    },
    channels: {
      reader: reportMail.reader,
      senders: [createPushSender({ ...push, tokens: reportMail.tokens }), ...(line ? [createLineSender(line)] : [])],
    },
    webhooks: {
      mails,
      post: createOutgoingPost({ isLoopbackAllowed: !settings.isProduction }),
      seal: createWebhookSecretCipher(secrets),
    },
    intake: {
      mails,
      store,
      createFeedClient,
      createGet: createOutgoingGet,
      seal: createIntakeSourceKeyCipher(secrets),
      dataDir: settings.dataDir,
      clock: { elapsed: () => performance.now(), sleep: (ms, signal) => sleep(ms, undefined, { signal }) },
    },
  }
  // In production without a mail server, skip the mail job, so that emails remain queued.
  const kinds = transport ? JOB_KINDS : JOB_KINDS.filter((kind) => kind !== mailJob)
  const worker = startQueueWorker({ db, kinds, parts, log, now: () => new Date() })
  const schedules = [scheduleNightlyLoad(db, log, demoDataSetup.nextDemoStep), scheduleBudget(db, log), worker]
  if (line) schedules.push(scheduleLine(db, line, log))
  if (tesseract) schedules.push(schedulePictures(db, log))
  return {
    async stop() {
      const stopped = schedules.map((schedule) => schedule.stop())
      transport?.close()
      await Promise.all(stopped)
    },
  }
}

/**
 * True if emails are shown in the browser outbox. Only in development, because emails contain codes and links that open
 * accounts.
 */
export const hasBrowserMailOutbox = ({ smtpUrl, isProduction }: Settings) => smtpUrl === undefined && !isProduction

function mailTransport(settings: Settings): MailTransport | undefined {
  const { smtpUrl, mailFrom, publicUrl } = settings
  const host = new URL(publicUrl ?? 'http://localhost').hostname
  const from = mailFrom ?? `ตามงาน <no-reply@${host}>`
  if (smtpUrl !== undefined) return createSmtpTransport({ url: smtpUrl, from })
  return hasBrowserMailOutbox(settings) ? localOutboxTransport : undefined
}
