import { countNightlyRunChanges } from '#server/catalogue/feed/load-queries.ts'
import {
  hasWaitingAnnouncements,
  listWaitingAnnouncements,
  markAnnouncementsApplied,
} from '#server/catalogue/intake/announcements.ts'
import type { FeedClient } from '#server/catalogue/intake/feed-client.ts'
import { INTAKE_JOB_TYPE } from '#server/catalogue/intake/intake-commands.ts'
import {
  INTAKE_SOURCES,
  type IntakeSource,
  readIntakeSourceState,
  readSealedIntakeSourceApiKey,
  recordNextIntakeSourceRun,
} from '#server/catalogue/intake/intake-sources.ts'
import type { IntakeRoundClock } from '#server/catalogue/intake/paced-intake-round.ts'
import { pollIntakeFolder } from '#server/catalogue/intake/poll-intake-folder.ts'
import { runApiPageRound } from '#server/catalogue/intake/run-api-page-round.ts'
import { runDownloadRound } from '#server/catalogue/intake/run-download-round.ts'
import { runFeedRound } from '#server/catalogue/intake/run-feed-round.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { fetchEgpDocuments } from '#server/jobs/document/fetch-egp-documents.ts'
import { deriveProjectData } from '#server/jobs/load/derive-project-data.ts'
import { areCompanyFactsCurrent } from '#server/market/company/update-company-facts.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import type { TextCipher } from '#server/platform/engine/text-cipher.ts'
import { renderMail } from '#server/platform/mail/render-mail.ts'
import type { OutgoingGetFn } from '#server/platform/outgoing/outgoing-get.ts'
import { defineJob, type JobContext, type JobLog, JobPostponedError } from '#server/platform/queue/job.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { areProjectTraitsComplete } from '#server/report/project/write-project-traits.ts'
import { DataLoadInProgressError, getNightlyRunDate, withDataLoadLease } from '../load/run-load.ts'
import { applyAnnouncements } from './apply-announcements.ts'
import { AGENCY_DIRECTORY_SOURCE } from './import-data-file.ts'
import { importSourceFile, importSourcePages, postponeWhileDataLoadRuns } from './import-source-file.ts'
import { notifyNightlyIntakeFailure } from './notify-nightly-intake-failure.ts'

export type IntakeJobDependencies = {
  readonly mails: OutgoingMailQueue
  readonly clock: Pick<IntakeRoundClock, 'elapsed' | 'sleep'>
  readonly dataDir: string
  readonly store: DocumentStore
  readonly seal: TextCipher
  createGet(settings: { readonly contact: string }): OutgoingGetFn
  createFeedClient(settings: { readonly address: string; readonly contact: string }): FeedClient
}
/**
 * Announcements are collected for this long before each load. Adding up to 4 s until the next request, 10 s for one
 * that hangs, and the load itself, an announcement reaches report and bell within a minute. A load per response would
 * mean four times as many loads.
 */
const BATCH_WINDOW_MS = 30_000

/** Formats of sources whose file content does not identify them. */
const FILE_FORMATS: Partial<Record<IntakeSource, string>> = { agencies: AGENCY_DIRECTORY_SOURCE, ocds: 'ocds' }

type Context = JobContext<{ readonly intake: IntakeJobDependencies }>

/**
 * Fetches from one source while it is open, then postpones itself to the next opening. The job is permanent, and the
 * lease of its key prevents two processes from querying the source at once. It ends only when the source is switched
 * off or the remote side refuses us.
 */
export const intakeJob = defineJob<{ source: IntakeSource }, { readonly intake: IntakeJobDependencies }>({
  ...INTAKE_JOB_TYPE,
  // One slot per source, because a file of half a gigabyte must not block the feed.
  concurrency: INTAKE_SOURCES.length,
  // Only our own failures count as attempts. After ten in two hours the job pauses for a day.
  maxAttempts: 10,
  backoff: { firstMs: 60_000, maxMs: 30 * 60 * 1000 },
  reviveDays: 1,
  async run(context, { source }) {
    const until = await runnerOf(source)(context, source)
    if (until === undefined) return { source, state: 'halted or off' }
    await recordNextIntakeSourceRun(context.db, source, until)
    throw new JobPostponedError(until)
  },
})

function runnerOf(source: IntakeSource) {
  if (source === 'egp-rss') return runFeedSource
  if (source === 'egp-documents') return runDocumentSource
  if (source === 'cgd-api') return runPageSource
  return source === 'folder' ? runFolderSource : runFileSource
}

async function runDocumentSource(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm } = context
  const { clock, mails, createGet, store } = parts.intake
  const { contact } = await readIntakeSourceState(db, source)
  const { until } = await fetchEgpDocuments(db, {
    ...{ signal, confirm, store, clock: { now, ...clock }, get: createGet({ contact: contact ?? '' }) },
    onHalted: (tx, reason, at) => notifyHalted(tx, mails, { source, contact, reason, at }),
  })
  return until
}

async function runPageSource(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm, progress } = context
  const { dataDir, clock, mails, createGet, seal } = parts.intake
  const { contact } = await readIntakeSourceState(db, source)
  const sealed = await readSealedIntakeSourceApiKey(db, source)
  const { until } = await runApiPageRound(db, source, {
    ...{ signal, confirm, progress, dataDir, clock: { now, ...clock }, get: createGet({ contact: contact ?? '' }) },
    key: sealed === null ? undefined : seal.open(sealed),
    onHalted: (tx, reason, at) => notifyHalted(tx, mails, { source, contact, reason, at }),
    importPages: (pages, name) => importSourcePages(db, pages, name, { dataDir, signal, now, progress }),
  })
  return until
}

async function runFileSource(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm, progress } = context
  const { dataDir, clock, mails, createGet } = parts.intake
  const { contact } = await readIntakeSourceState(db, source)
  const { until } = await runDownloadRound(db, source, {
    ...{ signal, confirm, progress, dataDir, clock: { now, ...clock }, get: createGet({ contact: contact ?? '' }) },
    onHalted: (tx, reason, at) => notifyHalted(tx, mails, { source, contact, reason, at }),
    importFile: (file) =>
      importSourceFile(db, { ...file, source: FILE_FORMATS[source] }, { dataDir, signal, now, progress }),
  })
  return until
}

async function runFeedSource(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm, log } = context
  const { address, contact } = await readIntakeSourceState(db, source)
  const { elapsed } = parts.intake.clock
  let dueAt: number | undefined
  const { until, isNightOver } = await runFeedRound(db, source, {
    clock: { now, ...parts.intake.clock },
    signal,
    confirm,
    async afterQuery() {
      if (!(await hasWaitingAnnouncements(db, source))) return
      dueAt ??= elapsed() + BATCH_WINDOW_MS
      if (elapsed() < dueAt) return
      dueAt = undefined
      await applyIncrement(db, source, { now, signal, log })
    },
    sendQuery: parts.intake.createFeedClient({ address, contact: contact ?? '' }),
    onHalted: (tx, reason, at) => notifyHalted(tx, parts.intake.mails, { source, contact, reason, at }),
  })
  if (!isNightOver) {
    await applyIncrement(db, source, { now, signal, log })
    return until
  }
  await notifyNightlyIntakeFailure(db, parts.intake.mails, source, now())
  await postponeWhileDataLoadRuns(now, () => applyPending(db, source, { now, signal }))
  await deriveNightData(db, getNightlyRunDate(now()))
  return until
}

async function runFolderSource({ db, parts, signal, now, confirm, progress }: Context): Promise<Date | undefined> {
  const { dataDir, clock } = parts.intake
  const { until } = await pollIntakeFolder(db, {
    ...{ signal, confirm, dataDir, clock: { now, ...clock } },
    importFile: (file) => importSourceFile(db, file, { dataDir, signal, now, progress }),
  })
  return until
}

type ApplyPendingOptions = { readonly now: () => Date; readonly signal: AbortSignal; readonly waitMs?: number }

/**
 * Publishes pending announcements in a small load, which the filters New and Updated attribute to its night (decision
 * 0059). The announcements are marked as applied in the load's transaction, so each is applied once wherever the
 * process is killed. Rejects with `DataLoadInProgressError`.
 */
async function applyPending(db: Db, source: IntakeSource, { now, ...options }: ApplyPendingOptions): Promise<void> {
  const pending = await listWaitingAnnouncements(db, source)
  if (pending.length === 0) return
  await applyAnnouncements(
    db,
    pending.map(({ id: _, ...announcement }) => announcement),
    {
      ...options,
      ...{ now, night: getNightlyRunDate(now()), isIncrement: true, isFirstOfMany: true },
      within: (tx) =>
        markAnnouncementsApplied(
          tx,
          pending.map(({ id }) => id),
          now(),
        ),
    },
  )
}

/**
 * Like `applyPending`, but does not fail the nightly run: what cannot be applied now is applied later, by the end of
 * the night at the latest. Logs a statement that the database rejects, because the database may reject it again.
 */
async function applyIncrement(
  db: Db,
  source: IntakeSource,
  { log, ...options }: ApplyPendingOptions & { readonly log: JobLog },
): Promise<void> {
  try {
    await applyPending(db, source, { ...options, waitMs: 0 })
  } catch (error) {
    if (error instanceof DataLoadInProgressError) return
    if (!(error instanceof StatementError)) throw error
    log.warn({ err: error, source }, 'fetched data rejected by the database: it stays queued')
  }
}

/**
 * Derives the data that the small loads skipped: traits, companies, and statistics after a night with many changes. If
 * another load is running, that load does this instead.
 */
async function deriveNightData(db: Db, night: string): Promise<void> {
  if ((await areProjectTraitsComplete(db)) && (await areCompanyFactsCurrent(db))) return
  const changedCount = await countNightlyRunChanges(db, night)
  try {
    await withDataLoadLease(db, () => deriveProjectData(db, { changedCount }))
  } catch (error) {
    if (!(error instanceof DataLoadInProgressError)) throw error
  }
}

type Halt = { readonly source: string; readonly contact: string | null; readonly reason: string; readonly at: Date }

async function notifyHalted(tx: Db, mails: OutgoingMailQueue, { source, contact, reason, at }: Halt): Promise<void> {
  if (contact === null) return
  const dedupeKey = `intake-halted:${source}:${at.toISOString()}`
  await mails.queue(tx, { kind: 'intake_halted', to: contact, content: haltedMail(source, reason), dedupeKey }, at)
}

const haltedMail = (source: string, reason: string) =>
  renderMail({
    subject: `หยุดดึงข้อมูลจาก ${source}: ต้นทางปฏิเสธ`,
    preview: 'ระบบหยุดถามต้นทางแล้ว รอผู้ดูแลตรวจ',
    blocks: [
      { text: `ต้นทาง ${source} ตอบกลับเป็นหน้าเว็บแทนข้อมูล ระบบจึงหยุดถามทันที และจะไม่ถามอีกจนกว่าผู้ดูแลจะเปิดใหม่` },
      { facts: [['เหตุผล', reason]] },
      { text: 'ตรวจกับหน่วยงานต้นทางก่อน แล้วเปิดใหม่ด้วยคำสั่งนี้' },
      { note: `npm run intake -- on ${source}` },
    ],
  })
