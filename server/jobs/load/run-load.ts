import { setTimeout as sleep } from 'node:timers/promises'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { notifyUsersOfDataLoadChanges } from '#server/account/notification/create-notifications.ts'
import { FeedFormatError, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { publishDataLoad } from '#server/catalogue/feed/load.ts'
import { listQuarantinedRows, markDataLoadFailed } from '#server/catalogue/feed/load-queries.ts'
import type { DataLoadProgress, DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import {
  beginStagingDataLoad,
  type DataLoadStagingProgress,
  type StartedDataLoad,
  stageDataLoad,
} from '#server/catalogue/feed/stage-load.ts'
import type { RemainingDataLoadProjects } from '#server/catalogue/feed/written-projects.ts'
import { scheduleMorningSummaries } from '#server/channels/channel/delivery-hours.ts'
import { writeWebhookEventsForLoad } from '#server/channels/webhook-event/write-webhook-events.ts'
import { scheduleCoverageMail } from '#server/jobs/mail/coverage-mail-job.ts'
import { enqueueSavedQuestionChecksAfterLoad } from '#server/market/saved-question/enqueue-question-jobs.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { scheduleKeywordTermAdvice } from '#server/matching/term-advice/term-advice-job.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import type { WorkThrottle } from '#server/platform/engine/process-in-batches.ts'
import { refreshPlannerStatistics } from '#server/platform/engine/vacuum-after-data-load.ts'
import { type JobLease, withJobLease } from '#server/platform/queue/job-lease.ts'
import { createRequestAwareWorkThrottle } from '#server/platform/queue/serving-record.ts'
import { notifyContractEnds } from '#server/report/contract-end/notify-contract-ends.ts'
import { notifyFollowers } from '#server/report/follow/notify-followers.ts'
import { scheduleReportMails } from '#server/report/mail/schedule-report-mails.ts'
import { deriveProjectData } from './derive-project-data.ts'
import { ParallelLoadPublication } from './parallel-publication.ts'

export class DataLoadInProgressError extends Error {
  override readonly name = 'DataLoadInProgressError'
}

export type RunDataLoadOptions = {
  readonly origin: string
  readonly fingerprint: string
  readonly today?: string | undefined
  readonly onProgress?: ((progress: DataLoadProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Skips deriving traits, companies and statistics, because the caller runs another load afterwards. */
  readonly isFirstOfMany?: boolean | undefined
  /**
   * Bangkok day of the evening on which a night starts. All loads of a night count as one for the filter New (see
   * `getNightlyRunDate`); without a night the load resets that filter.
   */
  readonly night?: string | undefined
  /**
   * True for one of hundreds of loads in a night (decision 0059): it processes only its own projects, and the first one
   * of a day also updates what depends on the date.
   */
  readonly isIncrement?: boolean | undefined
  /**
   * True for the 01:00 load without records: it updates what depends on the date for all projects, and does not count
   * as history although it is empty.
   */
  readonly isDaily?: boolean | undefined
  /**
   * Number of chunks of 1,000 rows to stage before the others are published while they are read; tests set fewer than
   * `STREAMING_THRESHOLD_CHUNKS`.
   */
  readonly stagedFirst?: number | undefined
  readonly now?: (() => Date) | undefined
  /** Refuses a source whose rows are all quarantined, because an empty load would look like a success. */
  readonly needsRows?: boolean | undefined
  /** Called inside the publishing transaction, so that its changes take effect exactly when the load does. */
  readonly within?: ((tx: Db) => Promise<void>) | undefined
}

/** Start of a night: the e-GP feed opens at 17:30, and everything until the next evening belongs to one night. */
const NIGHT_START_MS = 17.5 * 60 * 60 * 1000

export const getNightlyRunDate = (now: Date): string => getBangkokToday(new Date(now.getTime() - NIGHT_START_MS))

const LEASE = 'load'
const POLL_INTERVAL_MS = 500
/**
 * Maximum wait for another load: long enough for a nightly load to finish while a user waits at the command line, but
 * not for a year of data.
 */
export const MAX_DATA_LOAD_WAIT_MS = 60_000
const ANALYZE_THRESHOLD = 1_000
/** Sources with more chunks of 1,000 rows than this are published while they are still being read (decision 0156). */
const STREAMING_THRESHOLD_CHUNKS = 20

/**
 * Runs `work`, possibly several loads, as the only loader across all processes. Rejects with `DataLoadInProgressError` if another one
 * is still running after `waitMs` (0: immediately).
 */
export async function withDataLoadLease<T>(db: Db, work: (lease: JobLease) => Promise<T>, waitMs = 0): Promise<T> {
  const until = performance.now() + waitMs
  for (;;) {
    const outcome = await withJobLease(db, LEASE, work)
    if (outcome !== undefined) return outcome.result
    if (performance.now() >= until)
      throw new DataLoadInProgressError('another load is running: try again when it has finished')
    await sleep(POLL_INTERVAL_MS)
  }
}

/**
 * Loads one source: stages it in chunks, then publishes, matches and notifies in one transaction, so that readers see
 * all of the load or nothing. If interrupted while staging, the next call resumes; if the database refuses it while
 * publishing, the load is marked failed. Rejects with `FeedFormatError` for an unusable source and with `LeaseLostError`
 * when another process took over.
 */
export async function runDataLoad(
  db: Db,
  lease: JobLease,
  source: FeedSource,
  options: RunDataLoadOptions,
): Promise<DataLoadReport> {
  const pace = createRequestAwareWorkThrottle(db)
  try {
    return await run({ db, lease, options, pace }, source)
  } finally {
    await pace.stop()
  }
}

type LoadRun = {
  readonly db: Db
  readonly lease: JobLease
  readonly options: RunDataLoadOptions
  readonly pace: WorkThrottle
}

async function run(loadRun: LoadRun, source: FeedSource): Promise<DataLoadReport> {
  const { db, options, pace } = loadRun
  const { origin, fingerprint, onProgress, signal, stagedFirst = STREAMING_THRESHOLD_CHUNKS } = options
  const startedAt = performance.now()
  const stage = {
    ...{ origin, fingerprint },
    onProgress: ({ read, quarantined }: DataLoadStagingProgress) =>
      onProgress?.({ phase: 'read', done: read, quarantined }),
  }
  const abortable = abortableSource(source, signal)
  const maxStagedChunks = db.engine === 'postgres' ? stagedFirst : Number.POSITIVE_INFINITY
  const staged = await beginStagingDataLoad(db, abortable, { ...stage, maxChunks: maxStagedChunks })
  if (options.needsRows && staged.staged === 0 && !staged.unread) await refuseEmpty(db, staged)
  const { remainder, ...report } = await publish(loadRun, staged).catch(async (error: unknown) => {
    if (!(error instanceof FeedFormatError)) throw error
    // A later part is unusable: read again without publishing, to record row errors and mark the load failed.
    return await publish(loadRun, await stageDataLoad(db, abortable, stage))
  })
  if (!options.isFirstOfMany)
    await deriveProjectData(db, { changedCount: changedBy(report), onProgress, remainder, pace })
  return { ...report, seconds: (performance.now() - startedAt) / 1000 }
}

async function refuseEmpty(db: Db, { loadId, quarantined }: StartedDataLoad): Promise<never> {
  const [first] = await listQuarantinedRows(db, loadId, 0, 1)
  const reason = `นำเข้าไม่ได้สักแถว กักไว้ ${quarantined} แถว แถวแรก (บรรทัดที่ ${first?.line}): ${first?.reason}`
  await markDataLoadFailed(db, loadId, reason)
  throw new FeedFormatError(reason)
}

const changedBy = ({ newProjects, updatedProjects }: Pick<DataLoadReport, 'newProjects' | 'updatedProjects'>) =>
  newProjects + updatedProjects

type PublishedReport = Omit<DataLoadReport, 'seconds'> & { readonly remainder: RemainingDataLoadProjects | undefined }

async function publish(loadRun: LoadRun, staged: StartedDataLoad): Promise<PublishedReport> {
  const { unread } = staged
  if (!unread) return await publishIn(loadRun, staged)
  const parallel = await ParallelLoadPublication.open(loadRun.db)
  try {
    const report = await publishIn(loadRun, staged, parallel)
    return (await parallel.commit()) ? report : { ...report, remainder: undefined }
  } finally {
    await Promise.all([parallel.end(), unread.end()])
  }
}

async function publishIn(
  { db, lease, pace, options }: LoadRun,
  { unread, ...staged }: StartedDataLoad,
  parallel?: ParallelLoadPublication,
): Promise<PublishedReport> {
  const { today = getBangkokToday(new Date()), night, isIncrement, isDaily, now = () => new Date() } = options
  const { within, onProgress } = options
  const { loadId } = staged
  try {
    return await db.transaction(
      async (tx) => {
        await lease.confirm(tx)
        const parallelRun = await parallel?.begin(tx, loadId)
        const { isHistory, isOfAllDates, rewritten, refused, ...published } = await publishDataLoad(tx, loadId, {
          ...{ today, night, isIncrement, isDaily, unread, derivedWriter: parallelRun?.parallelWrites, pace },
          onProgress: (progress) => onProgress?.({ phase: 'publish', ...progress }),
        })
        if (changedBy(published) >= ANALYZE_THRESHOLD) await refreshPlannerStatistics(tx, ['projects'])
        const matched = await matchDataLoadProjects(tx, loadId, {
          streamed: parallelRun && { matching: parallelRun.matching, rewritten },
          onProgress: (progress) => onProgress?.({ phase: 'match', ...progress }),
        })
        // The bell shows the latest first, so notify a deadline tomorrow after a contract end in half a year.
        if (!isHistory) await notifyContractEnds(tx, loadId, { today, at: now(), isOfAllDates })
        await notifyUsersOfDataLoadChanges(tx, loadId, { today, at: now(), isOfAllDates })
        if (!isHistory) await notifyFollowers(tx, loadId, now())
        if (!isHistory) await enqueueSavedQuestionChecksAfterLoad(tx, now(), { isIncrement })
        if (!isHistory) await scheduleKeywordTermAdvice(tx, now())
        if (!isHistory) await scheduleCoverageMail(tx, now())
        if (!isHistory) await scheduleReportMails(tx, loadId, { now: now(), isIncrement })
        if (!isHistory) await scheduleMorningSummaries(tx, now())
        if (!isHistory) await writeWebhookEventsForLoad(tx, loadId, now())
        await within?.(tx)
        const remainder = parallelRun && { loadId, projectIds: [...rewritten].sort() }
        const progress = { ...staged, ...unread?.progress }
        const rows = { staged: progress.staged - refused, quarantined: progress.quarantined + refused }
        return { ...progress, ...rows, ...published, ...matched, remainder }
      },
      { idleTimeoutMs: 0 },
    )
  } catch (error) {
    // An error in the content would recur on retry, so the load fails for good. Other errors may be transient.
    if (error instanceof StatementError) await markDataLoadFailed(db, loadId, error.message)
    throw error
  }
}

function abortableSource(source: FeedSource, signal: AbortSignal | undefined): FeedSource {
  if (signal === undefined) return source
  async function* records(resumeAfterLine: number): ReturnType<FeedSource['records']> {
    for await (const item of source.records(resumeAfterLine)) {
      signal?.throwIfAborted()
      yield item
    }
  }
  return { ...source, records: (line) => records(line) }
}
