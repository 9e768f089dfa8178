import { countNightChanges } from '#server/catalogue/feed/load-queries.ts'
import { hasWaiting, markApplied, waitingAnnouncements } from '#server/catalogue/intake/announcements.ts'
import type { Ask } from '#server/catalogue/intake/ask-feed.ts'
import { INTAKE_JOB } from '#server/catalogue/intake/commands.ts'
import type { Clock } from '#server/catalogue/intake/paced-round.ts'
import { runDownloads } from '#server/catalogue/intake/run-downloads.ts'
import { runNight } from '#server/catalogue/intake/run-night.ts'
import { runPages } from '#server/catalogue/intake/run-pages.ts'
import {
  INTAKE_SOURCES,
  type IntakeSource,
  readSealedKey,
  readSource,
  recordNextRun,
} from '#server/catalogue/intake/sources.ts'
import { watchFolder } from '#server/catalogue/intake/watch-folder.ts'
import type { DocumentStore } from '#server/documents/store/document-store.ts'
import { areCompaniesKept } from '#server/market/company/update-companies.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import type { TextSeal } from '#server/platform/engine/sealed-text.ts'
import { renderMail } from '#server/platform/mail/render-mail.ts'
import type { Outgoing } from '#server/platform/outgoing/get.ts'
import { defineJob, type JobContext, type JobLog, JobPostponed } from '#server/platform/queue/job.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { isComparable } from '#server/report/project/write-traits.ts'
import { fetchDocuments } from '../document/fetch-documents.ts'
import { asOnlyLoader, LoadBusy, nightOf } from '../load/run-load.ts'
import { workOut } from '../load/work-out.ts'
import { applyAnnouncements } from './apply-announcements.ts'
import { AGENCY_SOURCE } from './import-directory.ts'
import { takeInFile, takeInPages, whenLoadsRest } from './take-in-file.ts'
import { tellFailedNight } from './tell-failed-night.ts'

export type IntakeParts = {
  readonly mails: OutgoingMail
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>
  /** Holds fetched files and the watched folder. */
  readonly dataDir: string
  readonly store: DocumentStore
  readonly seal: TextSeal
  createGet(settings: { readonly contact: string }): Outgoing
  createAsk(settings: { readonly address: string; readonly contact: string }): Ask
}
/**
 * Announcements are collected for this long before a load. With up to 4 s until the next request, 10 s for one that
 * hangs and the load itself, an announcement reaches report and bell within a minute; a load per response would be four
 * times as many.
 */
const GATHER_MS = 30_000

/** Formats of sources whose file content does not identify them. */
const FILE_FORMATS: Partial<Record<IntakeSource, string>> = { agencies: AGENCY_SOURCE, ocds: 'ocds' }

type Context = JobContext<{ readonly intake: IntakeParts }>

/**
 * Fetches from one source while it is open, then postpones itself to the next opening. The job is permanent: its key's
 * lease prevents two processes from querying the source at once. It ends only when the source is switched off or the
 * remote side refuses us.
 */
export const intakeJob = defineJob<{ source: IntakeSource }, { readonly intake: IntakeParts }>({
  ...INTAKE_JOB,
  // One slot per source: a file of half a gigabyte must not block the feed.
  concurrency: INTAKE_SOURCES.length,
  // Only our own faults count, since remote errors are recorded in the tables. After ten attempts in two hours the job
  // pauses for a day.
  maxAttempts: 10,
  backoff: { firstMs: 60_000, longestMs: 30 * 60 * 1000 },
  reviveDays: 1,
  async run(context, { source }) {
    const until = await turnOf(source)(context, source)
    if (until === undefined) return { source, state: 'halted or off' }
    await recordNextRun(context.db, source, until)
    throw new JobPostponed(until)
  },
})

function turnOf(source: IntakeSource) {
  if (source === 'egp-rss') return askFeed
  if (source === 'egp-documents') return fetchDocumentsOfFeed
  if (source === 'cgd-api') return fetchPages
  return source === 'folder' ? lookIntoFolder : fetchFiles
}

async function fetchDocumentsOfFeed(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm } = context
  const { clock, mails, createGet, store } = parts.intake
  const { contact } = await readSource(db, source)
  const { until } = await fetchDocuments(db, {
    ...{ signal, confirm, store, clock: { now, ...clock }, get: createGet({ contact: contact ?? '' }) },
    onHalted: (tx, reason, at) => tellHalted(tx, mails, { source, contact, reason, at }),
  })
  return until
}

async function fetchPages(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm, progress } = context
  const { dataDir, clock, mails, createGet, seal } = parts.intake
  const { contact } = await readSource(db, source)
  const sealed = await readSealedKey(db, source)
  const { until } = await runPages(db, source, {
    ...{ signal, confirm, progress, dataDir, clock: { now, ...clock }, get: createGet({ contact: contact ?? '' }) },
    key: sealed === null ? undefined : seal.open(sealed),
    onHalted: (tx, reason, at) => tellHalted(tx, mails, { source, contact, reason, at }),
    takeIn: (pages, name) => takeInPages(db, pages, name, { dataDir, signal, now, progress }),
  })
  return until
}

async function fetchFiles(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm, progress } = context
  const { dataDir, clock, mails, createGet } = parts.intake
  const { contact } = await readSource(db, source)
  const { until } = await runDownloads(db, source, {
    ...{ signal, confirm, progress, dataDir, clock: { now, ...clock }, get: createGet({ contact: contact ?? '' }) },
    onHalted: (tx, reason, at) => tellHalted(tx, mails, { source, contact, reason, at }),
    takeIn: (file) => takeInFile(db, { ...file, source: FILE_FORMATS[source] }, { dataDir, signal, now, progress }),
  })
  return until
}

async function askFeed(context: Context, source: IntakeSource): Promise<Date | undefined> {
  const { db, parts, signal, now, confirm, log } = context
  const { address, contact } = await readSource(db, source)
  const { elapsed } = parts.intake.clock
  let dueAt: number | undefined
  const { until, isNightOver } = await runNight(db, source, {
    clock: { now, ...parts.intake.clock },
    signal,
    confirm,
    async afterQuestion() {
      if (!(await hasWaiting(db, source))) return
      dueAt ??= elapsed() + GATHER_MS
      if (elapsed() < dueAt) return
      dueAt = undefined
      await applyIncrement(db, source, { now, signal, log })
    },
    ask: parts.intake.createAsk({ address, contact: contact ?? '' }),
    onHalted: (tx, reason, at) => tellHalted(tx, parts.intake.mails, { source, contact, reason, at }),
  })
  if (!isNightOver) {
    await applyIncrement(db, source, { now, signal, log })
    return until
  }
  await tellFailedNight(db, parts.intake.mails, source, now())
  await whenLoadsRest(now, () => applyWaiting(db, source, { now, signal }))
  await workOutNight(db, nightOf(now()))
  return until
}

async function lookIntoFolder({ db, parts, signal, now, confirm, progress }: Context): Promise<Date | undefined> {
  const { dataDir, clock } = parts.intake
  const { until } = await watchFolder(db, {
    ...{ signal, confirm, dataDir, clock: { now, ...clock } },
    takeIn: (file) => takeInFile(db, file, { dataDir, signal, now, progress }),
  })
  return until
}

type ApplyWaiting = { readonly now: () => Date; readonly signal: AbortSignal; readonly waitMs?: number }

/**
 * Publishes pending announcements in a small load that New and Updated attribute to its night (decision 0059). They are
 * marked as applied in the load's transaction, so each is applied once wherever the process is killed. Rejects with
 * `LoadBusy`.
 */
async function applyWaiting(db: Db, source: IntakeSource, { now, ...options }: ApplyWaiting): Promise<void> {
  const waiting = await waitingAnnouncements(db, source)
  if (waiting.length === 0) return
  await applyAnnouncements(
    db,
    waiting.map(({ id: _, ...received }) => received),
    {
      ...options,
      ...{ now, night: nightOf(now()), isIncrement: true, isFirstOfMany: true },
      within: (tx) =>
        markApplied(
          tx,
          waiting.map(({ id }) => id),
          now(),
        ),
    },
  )
}

/**
 * Does the same during the night without failing it: what cannot be applied now is applied later, by the end of the
 * night at the latest. A statement that the database refuses is logged, since it may be refused again.
 */
async function applyIncrement(
  db: Db,
  source: IntakeSource,
  { log, ...options }: ApplyWaiting & { readonly log: JobLog },
): Promise<void> {
  try {
    await applyWaiting(db, source, { ...options, waitMs: 0 })
  } catch (error) {
    if (error instanceof LoadBusy) return
    if (!(error instanceof StatementError)) throw error
    log.warn({ err: error, source }, 'what came was refused by the database and waits')
  }
}

/**
 * Derives what the small loads skipped: traits, companies, and statistics after a large night. If another load is
 * running, that load does it.
 */
async function workOutNight(db: Db, night: string): Promise<void> {
  if ((await isComparable(db)) && (await areCompaniesKept(db))) return
  const changed = await countNightChanges(db, night)
  try {
    await asOnlyLoader(db, () => workOut(db, { changed }))
  } catch (error) {
    if (!(error instanceof LoadBusy)) throw error
  }
}

type Halt = { readonly source: string; readonly contact: string | null; readonly reason: string; readonly at: Date }

async function tellHalted(tx: Db, mails: OutgoingMail, { source, contact, reason, at }: Halt): Promise<void> {
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
