import type { Db } from '#server/engine/db.ts'
import type { TextSeal } from '#server/engine/sealed-text.ts'
import { markApplied, waitingAnnouncements } from '#server/features/intake/announcements.ts'
import type { Ask } from '#server/features/intake/ask-feed.ts'
import { INTAKE_JOB } from '#server/features/intake/commands.ts'
import type { Outgoing } from '#server/features/intake/outgoing.ts'
import { runDownloads } from '#server/features/intake/run-downloads.ts'
import { type Clock, runRound } from '#server/features/intake/run-night.ts'
import { runPages } from '#server/features/intake/run-pages.ts'
import {
  INTAKE_SOURCES,
  type IntakeSource,
  noteNextRun,
  readSealedKey,
  readSource,
} from '#server/features/intake/sources.ts'
import { watchFolder } from '#server/features/intake/watch-folder.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { defineJob, type JobContext, JobPostponed } from '#server/queue/job.ts'
import type { OutgoingMail } from '#server/route/outgoing-mail.ts'
import { applyAnnouncements } from './apply-announcements.ts'
import { AGENCY_SOURCE } from './import-directory.ts'
import { takeInFile, takeInPages, whenLoadsRest } from './take-in-file.ts'

export type IntakeParts = {
  readonly mails: OutgoingMail
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>
  /** Where fetched files wait, and below which the watched folder lies. */
  readonly dataDir: string
  /** Opens the keys of sources. */
  readonly seal: TextSeal
  /** The way to files and interfaces over https, with the contact of the moment. */
  createGet(settings: { readonly contact: string }): Outgoing
  /** The way to the feed, with the settings of the moment. */
  createAsk(settings: { readonly address: string; readonly contact: string }): Ask
}
/** What the files of a source are, where their content does not say. */
const FILE_FORMATS: Partial<Record<IntakeSource, string>> = { agencies: AGENCY_SOURCE, ocds: 'ocds' }

type Context = JobContext<{ readonly intake: IntakeParts }>

/**
 * Fetches from one source as long as it is open, then waits for its next hour. The job is one for ever: the lease of its key is what keeps two processes
 * from asking at a time, and its end is that the source is switched off, or that the other side said no.
 */
export const intakeJob = defineJob<{ source: IntakeSource }, { readonly intake: IntakeParts }>({
  ...INTAKE_JOB,
  // A file of half a gigabyte must not hold up the feed.
  concurrency: INTAKE_SOURCES.length,
  // Only our own faults count: what the other side does is settled in the tables. After ten tries in two hours it rests for a day.
  maxAttempts: 10,
  backoff: { firstMs: 60_000, longestMs: 30 * 60 * 1000 },
  reviveDays: 1,
  async run(context, { source }) {
    const until = await turnOf(source)(context, source)
    if (until === undefined) return { source, state: 'halted or off' }
    await noteNextRun(context.db, source, until)
    throw new JobPostponed(until)
  },
})

function turnOf(source: IntakeSource) {
  if (source === 'egp-rss') return askFeed
  if (source === 'cgd-api') return fetchPages
  return source === 'folder' ? lookIntoFolder : fetchFiles
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
  const { db, parts, signal, now, confirm } = context
  const { address, contact } = await readSource(db, source)
  const { until, isNightOver } = await runRound(db, source, {
    clock: { now, ...parts.intake.clock },
    signal,
    confirm,
    ask: parts.intake.createAsk({ address, contact: contact ?? '' }),
    onHalted: (tx, reason, at) => tellHalted(tx, parts.intake.mails, { source, contact, reason, at }),
  })
  if (isNightOver) await applyWaiting(db, source, { now, signal })
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

/**
 * One load for all that the night brought, and none for a night without news: each load begins New and Updated anew, and sends mails (D3). Killed in
 * the middle it is done again, which changes nothing.
 */
async function applyWaiting(
  db: Db,
  source: IntakeSource,
  { now, signal }: { readonly now: () => Date; readonly signal: AbortSignal },
): Promise<void> {
  const waiting = await waitingAnnouncements(db, source)
  if (waiting.length === 0) return
  await whenLoadsRest(now, () =>
    applyAnnouncements(
      db,
      waiting.map(({ id: _, ...received }) => received),
      { now, signal },
    ),
  )
  await markApplied(
    db,
    waiting.map(({ id }) => id),
    now(),
  )
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
