import { addDays, bangkokToday, daysBetween } from '#contract/thai/thai-date.ts'
import { createSampleDaySource, createSampleSource } from '#sample/sample-source.ts'
import { dayNumberOf, isoDateOfDay, isWorkingDay, nextWorkingDay } from '#sample/working-days.ts'
import { pruneNotifications } from '#server/account/notification/notifications.ts'
import { removeEndedVisitors } from '#server/account/session/demo-visitor-queries.ts'
import type { FeedItem, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { failLoad, findAbandonedLoads } from '#server/catalogue/feed/load-queries.ts'
import type { LoadReport } from '#server/catalogue/feed/load-report.ts'
import { demoFingerprint, readLatestDemoDay } from '#server/catalogue/feed/sample-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hasJobRunOnDay, type JobLease, recordJobRun } from '#server/platform/queue/lease.ts'
import { pruneProjectViews } from '#server/report/project/queries.ts'
import { pruneShortLinks } from '#server/report/short-link/queries.ts'
import { MAX_LOAD_WAIT_MS, nightDateOf, type RunLoadOptions, runLoad, withLoadLease } from './run-load.ts'

export const NIGHTLY_JOB = 'nightly-load'
/** Fixed seed, so that the demo data is the same on every machine. */
export const DEMO_SEED = 2569
/**
 * Maximum days by which one step advances the demo data. A longer gap is filled by regenerating the whole history,
 * which takes no longer than loading this many days.
 */
const MAX_STEP_DAYS = 31

export type NightlyOptions = Pick<RunLoadOptions, 'onProgress' | 'signal' | 'isFirstOfMany'> & {
  readonly now?: (() => Date) | undefined
}
type NightlyStep = {
  readonly source: FeedSource
  readonly fingerprint: string
  readonly today: string
  /** The night that this load belongs to. Absent for a separate load, which resets New. */
  readonly night?: string
}

/**
 * Runs the nightly load now. Advances the demo data to today or, if it is already there, to the next day with
 * announcements. Also updates what depends on the date (bids closed, delivered); without demo data it does only this.
 */
export async function runNightlyLoad(db: Db, options: NightlyOptions = {}): Promise<LoadReport> {
  const today = todayOf(options)
  const load = async (lease: JobLease): Promise<LoadReport> => {
    const lastDemoDay = await readLatestDemoDay(db)
    const report = await runNightlyStep(
      db,
      lease,
      lastDemoDay === undefined ? nightStep(options) : nextStep(lastDemoDay, today),
      options,
    )
    await recordJobRun(db, NIGHTLY_JOB, today)
    return report
  }
  return await withLoadLease(db, load, MAX_LOAD_WAIT_MS)
}

export async function runDueNightlyLoad(db: Db, options: NightlyOptions = {}): Promise<LoadReport | undefined> {
  const today = todayOf(options)
  if (await hasJobRunOnDay(db, NIGHTLY_JOB, today)) return undefined
  return await withLoadLease(db, async (lease) => {
    if (await hasJobRunOnDay(db, NIGHTLY_JOB, today)) return undefined
    const lastDemoDay = await readLatestDemoDay(db)
    const isBehind = lastDemoDay !== undefined && lastDemoDay < today
    const report = await runNightlyStep(
      db,
      lease,
      isBehind ? nextStep(lastDemoDay, today) : nightStep(options),
      options,
    )
    await recordJobRun(db, NIGHTLY_JOB, today)
    await pruneExpired(db, options)
    return report
  })
}

/** Deletes expired data. Each new demo visitor removes earlier ones, so this only needs to remove the last ones. */
async function pruneExpired(db: Db, { now = () => new Date() }: NightlyOptions): Promise<void> {
  const batchSize = 200
  while ((await removeEndedVisitors(db, now(), batchSize)) === batchSize);
  await pruneProjectViews(db, now())
  await pruneNotifications(db, now())
  await pruneShortLinks(db, now())
}

export const todayOf = ({ now = () => new Date() }: NightlyOptions) => bangkokToday(now())

export function findLastWorkingDay(today: string): string {
  let day = dayNumberOf(today)
  while (!isWorkingDay(day)) day -= 1
  return isoDateOfDay(day)
}

function nextStep(lastDemoDay: string, today: string): NightlyStep {
  const to = lastDemoDay < today ? today : isoDateOfDay(nextWorkingDay(dayNumberOf(lastDemoDay) + 1))
  return daysBetween(lastDemoDay, to) > MAX_STEP_DAYS ? historyStep(to) : createDaysStep(lastDemoDay, to, today)
}

function historyStep(day: string): NightlyStep {
  return {
    source: createSampleSource({ seed: DEMO_SEED, today: day }),
    fingerprint: demoFingerprint(DEMO_SEED, day),
    today: day,
  }
}

/**
 * Returns a step that loads the days after `after` up to and including `to`. If the demo data is ahead of today, `to`
 * counts as today.
 */
export function createDaysStep(after: string, to: string, today: string, days?: number): NightlyStep {
  async function* records(resumeAfterLine: number): AsyncGenerator<FeedItem> {
    let line = 0
    for (let day = addDays(after, 1); day <= to; day = addDays(day, 1)) {
      for await (const item of createSampleDaySource({ seed: DEMO_SEED, day, days }).records(0)) {
        line += 1
        if (line > resumeAfterLine) yield { ...item, line }
      }
    }
  }
  return {
    source: { name: 'sample', records },
    fingerprint: demoFingerprint(DEMO_SEED, to),
    today: to > today ? to : today,
  }
}

function emptyStep(today: string): NightlyStep {
  return { source: { name: 'nightly', async *records() {} }, fingerprint: `nightly:${today}`, today }
}

/**
 * Like `emptyStep` but assigned to the current night, so that projects loaded since the evening stay New (decision
 * 0059).
 */
function nightStep({ now = () => new Date() }: NightlyOptions): NightlyStep {
  return { ...emptyStep(bangkokToday(now())), night: nightDateOf(now()) }
}

export async function runEmptyLoad(db: Db, lease: JobLease, options: NightlyOptions = {}): Promise<LoadReport> {
  return await runNightlyStep(db, lease, emptyStep(todayOf(options)), options)
}

export async function runNightlyStep(
  db: Db,
  lease: JobLease,
  step: NightlyStep,
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
