import { addDays, bangkokToday, daysBetween } from '#contract/thai-date.ts'
import type { Db } from '#server/db/db.ts'
import { type JobLease, recordRun, wasRunOn } from '#server/db/lease.ts'
import type { FeedSource } from '#server/features/feed/feed-source.ts'
import type { LoadReport } from '#server/features/feed/load-report.ts'
import { latestSampleDay, sampleFingerprint } from '#server/features/feed/queries-sample-day.ts'
import { sampleDaySource, sampleSource } from '#server/features/feed/sample/sample-source.ts'
import { asOnlyLoader, type RunLoadOptions, runLoad } from './run-load.ts'

const JOB = 'nightly-load'
/** One sample for everybody: the same seed gives the same projects on every machine. */
const SEED = 2569
/** A gap longer than this is closed by one load of the whole history instead of one load a day. */
const MOST_DAYS = 14

export type NightlyOptions = Pick<RunLoadOptions, 'onProgress' | 'signal'> & { readonly now?: (() => Date) | undefined }
type Step = { readonly source: FeedSource; readonly fingerprint: string; readonly today: string }

/** First filling: the history up to yesterday, then today as a load of its own, so that the report shows what is new and what changed. */
export async function seedSample(db: Db, options: NightlyOptions = {}): Promise<LoadReport[]> {
  const today = todayOf(options)
  return await asOnlyLoader(db, async (lease) => {
    const reports = await takeIn(db, lease, [historyUpTo(addDays(today, -1)), dayOf(today, today)], options)
    await recordRun(db, JOB, today)
    return reports
  })
}

/**
 * The nightly load, now: every day of the sample that is still missing up to today, or, when none is, the next day. What depends on today
 * (bids closed, delivered) is brought up to date with it. Without the sample only the latter.
 */
export async function runNightlyLoad(db: Db, options: NightlyOptions = {}): Promise<LoadReport[]> {
  const today = todayOf(options)
  return await asOnlyLoader(db, async (lease) => {
    const last = await latestSampleDay(db)
    const missing = last === undefined ? [upToDate(today)] : stepsAfter(last, today)
    const reports = await takeIn(db, lease, missing.length > 0 ? missing : [dayOf(addDays(last!, 1), today)], options)
    await recordRun(db, JOB, today)
    return reports
  })
}

/** The nightly load if it was not yet run today, by this process or another; undefined when it was. */
export async function runDueNightlyLoad(db: Db, options: NightlyOptions = {}): Promise<LoadReport[] | undefined> {
  const today = todayOf(options)
  if (await wasRunOn(db, JOB, today)) return undefined
  return await asOnlyLoader(db, async (lease) => {
    // Asked again as the only loader: another process may have finished it in between.
    if (await wasRunOn(db, JOB, today)) return undefined
    const last = await latestSampleDay(db)
    const missing = last === undefined ? [] : stepsAfter(last, today)
    const reports = await takeIn(db, lease, missing.length > 0 ? missing : [upToDate(today)], options)
    await recordRun(db, JOB, today)
    return reports
  })
}

const todayOf = ({ now = () => new Date() }: NightlyOptions) => bangkokToday(now())
const later = (a: string, b: string) => (a > b ? a : b)

function historyUpTo(day: string): Step {
  return { source: sampleSource({ seed: SEED, today: day }), fingerprint: sampleFingerprint(SEED, day), today: day }
}

function dayOf(day: string, today: string): Step {
  const source = sampleDaySource({ seed: SEED, day })
  return { source, fingerprint: sampleFingerprint(SEED, day), today: later(day, today) }
}

/** A load without records: only what depends on the day changes. */
function upToDate(today: string): Step {
  return { source: { name: 'nightly', async *records() {} }, fingerprint: `nightly:${today}`, today }
}

function stepsAfter(last: string, today: string): Step[] {
  const days = daysBetween(last, today)
  if (days <= 0) return []
  if (days > MOST_DAYS) return [historyUpTo(addDays(today, -1)), dayOf(today, today)]
  return Array.from({ length: days }, (_, index) => addDays(last, index + 1)).map((day) => dayOf(day, day))
}

async function takeIn(db: Db, lease: JobLease, steps: readonly Step[], options: NightlyOptions): Promise<LoadReport[]> {
  const reports: LoadReport[] = []
  for (const { source, fingerprint, today } of steps) {
    const { onProgress, signal } = options
    reports.push(await runLoad(db, lease, source, { origin: source.name, fingerprint, today, onProgress, signal }))
  }
  return reports
}
