import type { Db } from '#server/engine/db.ts'
import { markApplied, waitingAnnouncements } from '#server/features/intake/announcements.ts'
import type { Ask } from '#server/features/intake/ask-feed.ts'
import { INTAKE_JOB } from '#server/features/intake/commands.ts'
import { type Clock, runRound } from '#server/features/intake/run-night.ts'
import { type IntakeSource, noteNextRun, readSource } from '#server/features/intake/sources.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { defineJob, JobPostponed } from '#server/queue/job.ts'
import type { OutgoingMail } from '#server/route/outgoing-mail.ts'
import { applyAnnouncements } from './apply-announcements.ts'
import { LoadBusy } from './run-load.ts'

export type IntakeParts = {
  readonly mails: OutgoingMail
  readonly clock: Pick<Clock, 'elapsed' | 'sleep'>
  /** The way to the other side, with the settings of the moment. */
  createAsk(settings: { readonly address: string; readonly contact: string }): Ask
}

/**
 * Fetches from one source as long as it is open, then waits for its next hour. The job is one for ever: the lease of its key is what keeps two processes
 * from asking at a time, and its end is that the source is switched off, or that the other side said no.
 */
export const intakeJob = defineJob<{ source: IntakeSource }, { readonly intake: IntakeParts }>({
  ...INTAKE_JOB,
  concurrency: 1,
  // Only our own faults count: what the other side does is settled in the tables. After ten tries in two hours it rests for a day.
  maxAttempts: 10,
  backoff: { firstMs: 60_000, longestMs: 30 * 60 * 1000 },
  reviveDays: 1,
  async run({ db, parts, signal, now, confirm }, { source }) {
    const { address, contact } = await readSource(db, source)
    const { until, isNightOver } = await runRound(db, source, {
      clock: { now, ...parts.intake.clock },
      signal,
      confirm,
      ask: parts.intake.createAsk({ address, contact: contact ?? '' }),
      onHalted: async (tx, reason, at) => {
        if (contact === null) return
        const dedupeKey = `intake-halted:${source}:${at.toISOString()}`
        await parts.intake.mails.queue(
          tx,
          { kind: 'intake_halted', to: contact, content: haltedMail(source, reason), dedupeKey },
          at,
        )
      },
    })
    if (isNightOver) await applyWaiting(db, source, { now, signal })
    if (until === undefined) return { source, state: 'halted or off' }
    await noteNextRun(db, source, until)
    throw new JobPostponed(until)
  },
})

/** A load that takes long is waited for; what came lies safe meanwhile. */
const TRY_LOAD_MS = 60_000

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
  try {
    await applyAnnouncements(
      db,
      waiting.map(({ id: _, ...received }) => received),
      { now, signal },
    )
  } catch (error) {
    if (error instanceof LoadBusy) throw new JobPostponed(new Date(now().getTime() + TRY_LOAD_MS))
    throw error
  }
  await markApplied(
    db,
    waiting.map(({ id }) => id),
    now(),
  )
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
