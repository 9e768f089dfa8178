import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { pruneNotifications } from '#server/account/notification/notifications.ts'
import { removeEndedDemoVisitors } from '#server/account/session/demo-visitor-queries.ts'
import { readLatestDemoDay } from '#server/catalogue/feed/demo-source.ts'
import type { FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { findAbandonedDataLoads, markDataLoadFailed } from '#server/catalogue/feed/load-queries.ts'
import type { DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hasJobRunOnDay, type JobLease, recordJobRun } from '#server/platform/queue/job-lease.ts'
import { pruneProjectViews } from '#server/report/project/queries.ts'
import { pruneShortLinks } from '#server/report/short-link/queries.ts'
import {
  getNightlyRunDate,
  MAX_DATA_LOAD_WAIT_MS,
  type RunDataLoadOptions,
  runDataLoad,
  withDataLoadLease,
} from './run-load.ts'

export const NIGHTLY_LOAD_JOB_NAME = 'nightly-load'
export type NightlyLoadStepOptions = Pick<RunDataLoadOptions, 'onProgress' | 'signal' | 'isFirstOfMany'> & {
  readonly now?: (() => Date) | undefined
}
export type NextDemoDataLoadStep = (lastDemoDay: string, today: string) => NightlyLoadStep
export type NightlyLoadOptions = NightlyLoadStepOptions & { readonly nextDemoStep: NextDemoDataLoadStep }
export type NightlyLoadStep = {
  readonly source: FeedSource
  readonly fingerprint: string
  readonly today: string
  readonly night?: string
}

/**
 * Runs the nightly load now. Advances the demo data to today or, if it is already there, to the next day with
 * announcements. Also updates what depends on the date (bids closed, delivered); without demo data it does only this.
 */
export async function runNightlyLoad(db: Db, options: NightlyLoadOptions): Promise<DataLoadReport> {
  const today = getNightlyLoadDate(options)
  const load = async (lease: JobLease): Promise<DataLoadReport> => {
    const lastDemoDay = await readLatestDemoDay(db)
    const report = await runNightlyLoadStep(
      db,
      lease,
      lastDemoDay === undefined ? nightStep(options) : options.nextDemoStep(lastDemoDay, today),
      options,
    )
    await recordJobRun(db, NIGHTLY_LOAD_JOB_NAME, today)
    return report
  }
  return await withDataLoadLease(db, load, MAX_DATA_LOAD_WAIT_MS)
}

export async function runDueNightlyLoad(db: Db, options: NightlyLoadOptions): Promise<DataLoadReport | undefined> {
  const today = getNightlyLoadDate(options)
  if (await hasJobRunOnDay(db, NIGHTLY_LOAD_JOB_NAME, today)) return undefined
  return await withDataLoadLease(db, async (lease) => {
    if (await hasJobRunOnDay(db, NIGHTLY_LOAD_JOB_NAME, today)) return undefined
    const lastDemoDay = await readLatestDemoDay(db)
    const isBehind = lastDemoDay !== undefined && lastDemoDay < today
    const report = await runNightlyLoadStep(
      db,
      lease,
      isBehind ? options.nextDemoStep(lastDemoDay, today) : nightStep(options),
      options,
    )
    await recordJobRun(db, NIGHTLY_LOAD_JOB_NAME, today)
    await pruneExpired(db, options)
    return report
  })
}

/**
 * Deletes expired data. Each new demo visitor removes earlier ones, so this function only needs to remove the last
 * ones.
 */
async function pruneExpired(db: Db, { now = () => new Date() }: NightlyLoadStepOptions): Promise<void> {
  const batchSize = 200
  while ((await removeEndedDemoVisitors(db, now(), batchSize)) === batchSize);
  await pruneProjectViews(db, now())
  await pruneNotifications(db, now())
  await pruneShortLinks(db, now())
}

export const getNightlyLoadDate = ({ now = () => new Date() }: NightlyLoadStepOptions) => getBangkokToday(now())

function emptyStep(today: string): NightlyLoadStep {
  return { source: { name: 'nightly', async *records() {} }, fingerprint: `nightly:${today}`, today }
}

/**
 * Like `emptyStep` but assigned to the current night, so that projects loaded since the evening still count as new
 * (decision 0059).
 */
function nightStep({ now = () => new Date() }: NightlyLoadStepOptions): NightlyLoadStep {
  return { ...emptyStep(getBangkokToday(now())), night: getNightlyRunDate(now()) }
}

export async function runEmptyDataLoad(
  db: Db,
  lease: JobLease,
  options: NightlyLoadStepOptions = {},
): Promise<DataLoadReport> {
  return await runNightlyLoadStep(db, lease, emptyStep(getNightlyLoadDate(options)), options)
}

export async function runNightlyLoadStep(
  db: Db,
  lease: JobLease,
  step: NightlyLoadStep,
  { onProgress, signal, isFirstOfMany, now }: NightlyLoadStepOptions,
): Promise<DataLoadReport> {
  const { source, fingerprint, today, night } = step
  for (const loadId of await findAbandonedDataLoads(db)) await markDataLoadFailed(db, loadId, 'เริ่มไว้แล้วไม่มีใครทำต่อ')
  return await runDataLoad(db, lease, source, {
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
