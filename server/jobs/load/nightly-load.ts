import { addDays, bangkokToday, daysBetween } from '#contract/thai/thai-date.ts'
import { sampleDaySource, sampleSource } from '#sample/sample-source.ts'
import { dayOf, isoOf, isWorkingDay, nextWorkingDay } from '#sample/working-days.ts'
import { pruneNotifications } from '#server/account/notification/notifications.ts'
import { removeEndedVisitors } from '#server/account/session/demo-visitor-queries.ts'
import type { FeedItem, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { failLoad, findAbandonedLoads } from '#server/catalogue/feed/load-queries.ts'
import type { LoadReport } from '#server/catalogue/feed/load-report.ts'
import { latestSampleDay, sampleFingerprint } from '#server/catalogue/feed/sample-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type JobLease, recordRun, wasRunOn } from '#server/platform/queue/lease.ts'
import { pruneViews } from '#server/report/project/queries.ts'
import { pruneShortLinks } from '#server/report/short-link/queries.ts'
import { asOnlyLoader, nightOf, PATIENCE_MS, type RunLoadOptions, runLoad } from './run-load.ts'

export const NIGHTLY_JOB = 'nightly-load'
/** Fixed, so that the demo data is the same on every machine. */
export const SAMPLE_SEED = 2569
/** A longer gap is filled by regenerating the whole history, which takes no longer than this many days. */
const MOST_DAYS = 31

export type NightlyOptions = Pick<RunLoadOptions, 'onProgress' | 'signal' | 'isFirstOfMany'> & {
  readonly now?: (() => Date) | undefined
}
type Step = {
  readonly source: FeedSource
  readonly fingerprint: string
  readonly today: string
  /** The night this load belongs to; absent for a separate load, which starts New over. */
  readonly night?: string
}

/**
 * Runs the nightly load now. Advances the demo data to today or, if it is already there, to the next day with
 * announcements. Also updates what depends on the date (bids closed, delivered); without demo data that is all it does.
 */
export async function runNightlyLoad(db: Db, options: NightlyOptions = {}): Promise<LoadReport> {
  const today = todayOf(options)
  const load = async (lease: JobLease): Promise<LoadReport> => {
    const last = await latestSampleDay(db)
    const report = await takeIn(db, lease, last === undefined ? ofTheNight(options) : stepForward(last, today), options)
    await recordRun(db, NIGHTLY_JOB, today)
    return report
  }
  return await asOnlyLoader(db, load, PATIENCE_MS)
}

/** Runs the nightly load unless some process already ran it today; resolves to undefined in that case. */
export async function runDueNightlyLoad(db: Db, options: NightlyOptions = {}): Promise<LoadReport | undefined> {
  const today = todayOf(options)
  if (await wasRunOn(db, NIGHTLY_JOB, today)) return undefined
  return await asOnlyLoader(db, async (lease) => {
    // Check again under the lease: another process may have finished it in between.
    if (await wasRunOn(db, NIGHTLY_JOB, today)) return undefined
    const last = await latestSampleDay(db)
    const isBehind = last !== undefined && last < today
    const report = await takeIn(db, lease, isBehind ? stepForward(last, today) : ofTheNight(options), options)
    await recordRun(db, NIGHTLY_JOB, today)
    await tidyUp(db, options)
    return report
  })
}

/** Deletes expired data. New demo visitors already remove earlier ones; this removes the last of them. */
async function tidyUp(db: Db, { now = () => new Date() }: NightlyOptions): Promise<void> {
  const most = 200
  while ((await removeEndedVisitors(db, now(), most)) === most);
  await pruneViews(db, now())
  await pruneNotifications(db, now())
  await pruneShortLinks(db, now())
}

export const todayOf = ({ now = () => new Date() }: NightlyOptions) => bangkokToday(now())

export function lastWorkingDay(today: string): string {
  let day = dayOf(today)
  while (!isWorkingDay(day)) day -= 1
  return isoOf(day)
}

function stepForward(last: string, today: string): Step {
  const to = last < today ? today : isoOf(nextWorkingDay(dayOf(last) + 1))
  return daysBetween(last, to) > MOST_DAYS ? historyUpTo(to) : daysUpTo(last, to, today)
}

function historyUpTo(day: string): Step {
  return {
    source: sampleSource({ seed: SAMPLE_SEED, today: day }),
    fingerprint: sampleFingerprint(SAMPLE_SEED, day),
    today: day,
  }
}

/**
 * Returns the days after `after` up to and including `to` as one load. If the demo data is moved ahead of today, `to`
 * counts as today.
 */
export function daysUpTo(after: string, to: string, today: string, days?: number): Step {
  async function* records(resumeAfterLine: number): AsyncGenerator<FeedItem> {
    let line = 0
    for (let day = addDays(after, 1); day <= to; day = addDays(day, 1)) {
      for await (const item of sampleDaySource({ seed: SAMPLE_SEED, day, days }).records(0)) {
        line += 1
        if (line > resumeAfterLine) yield { ...item, line }
      }
    }
  }
  return {
    source: { name: 'sample', records },
    fingerprint: sampleFingerprint(SAMPLE_SEED, to),
    today: to > today ? to : today,
  }
}

function upToDate(today: string): Step {
  return { source: { name: 'nightly', async *records() {} }, fingerprint: `nightly:${today}`, today }
}

/** Same as part of its night, so that projects loaded since the evening stay New (decision 0059). */
function ofTheNight({ now = () => new Date() }: NightlyOptions): Step {
  return { ...upToDate(bangkokToday(now())), night: nightOf(now()) }
}

/** Publishes an empty load, to announce that the report was changed by something other than a source. */
export async function runEmptyLoad(db: Db, lease: JobLease, options: NightlyOptions = {}): Promise<LoadReport> {
  return await takeIn(db, lease, upToDate(todayOf(options)), options)
}

export async function takeIn(
  db: Db,
  lease: JobLease,
  step: Step,
  { onProgress, signal, isFirstOfMany, now }: NightlyOptions,
): Promise<LoadReport> {
  const { source, fingerprint, today, night } = step
  for (const loadId of await findAbandonedLoads(db)) await failLoad(db, loadId, 'เริ่มไว้แล้วไม่มีใครทำต่อ')
  return await runLoad(db, lease, source, {
    origin: source.name,
    fingerprint,
    today,
    onProgress,
    signal,
    isFirstOfMany,
    night,
    isDaily: night !== undefined,
    now,
  })
}
