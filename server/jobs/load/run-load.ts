import { setTimeout as sleep } from 'node:timers/promises'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { notifyOfLoad } from '#server/account/notification/create-notifications.ts'
import { FeedFormatError, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { publishLoad } from '#server/catalogue/feed/load.ts'
import { failLoad, findQuarantined } from '#server/catalogue/feed/load-queries.ts'
import type { LoadProgress, LoadReport } from '#server/catalogue/feed/load-report.ts'
import { type BegunLoad, beginLoad, type StageProgress, stageLoad } from '#server/catalogue/feed/stage-load.ts'
import type { LeftOf } from '#server/catalogue/feed/written-projects.ts'
import { scheduleMornings } from '#server/channels/channel/hours.ts'
import { writeLoadEvents } from '#server/channels/webhook-event/write-events.ts'
import { askAfterLoad } from '#server/market/saved-question/ask-for-jobs.ts'
import { matchLoad } from '#server/matching/match-load.ts'
import { askForAdvice } from '#server/matching/term-advice/advice-job.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import type { Pace } from '#server/platform/engine/in-batches.ts'
import { refreshStatistics } from '#server/platform/engine/tidy-up.ts'
import { type JobLease, withLease } from '#server/platform/queue/lease.ts'
import { watchServing } from '#server/platform/queue/serving.ts'
import { tellContractEnds } from '#server/report/contract-end/tell-contract-ends.ts'
import { tellFollowers } from '#server/report/follow/tell-followers.ts'
import { scheduleReportMails } from '#server/report/mail/schedule-report-mails.ts'
import { clearAhead } from '#server/report/memory/ahead/ahead-parts.ts'
import { PublishAlong } from './publish-along.ts'
import { workOut } from './work-out.ts'

export class LoadBusy extends Error {
  override readonly name = 'LoadBusy'
}

export type RunLoadOptions = {
  readonly origin: string
  /** Equal for equal content; an interrupted load with the same fingerprint is resumed. */
  readonly fingerprint: string
  /** ISO date in Bangkok; defaults to today. */
  readonly today?: string | undefined
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Stops reading; staged rows are preserved and the load resumes next time. */
  readonly signal?: AbortSignal | undefined
  /** Skips deriving traits, companies and statistics, because another load of the caller follows. */
  readonly isFirstOfMany?: boolean | undefined
  /** Bangkok day of the evening whose loads count as one for New (`nightOf`); without it the load starts New over. */
  readonly night?: string | undefined
  /**
   * One of hundreds of loads in a night (decision 0059): processes only its own projects; the first of a day also
   * updates what depends on the date.
   */
  readonly isIncrement?: boolean | undefined
  /**
   * The load of 01:00 without records: updates the date for all projects, and does not count as history although it is
   * empty.
   */
  readonly isDaily?: boolean | undefined
  /**
   * Chunks of 1,000 rows to stage before the rest is published while it is read; tests set fewer than `WORTH_ALONG`.
   */
  readonly stagedFirst?: number | undefined
  readonly now?: (() => Date) | undefined
  /** Refuses a source whose rows are all quarantined: an empty load would look like a success. */
  readonly needsRows?: boolean | undefined
  /** Runs in the publishing transaction, so it takes effect exactly when the load does. */
  readonly within?: ((tx: Db) => Promise<void>) | undefined
}

/** The e-GP feed opens in the evening at 17:30; everything until the next evening belongs to one night. */
const EVENING_MS = 17.5 * 60 * 60 * 1000

/** Returns the night of a load at this time, named by the Bangkok day of its evening. */
export const nightOf = (now: Date): string => bangkokToday(new Date(now.getTime() - EVENING_MS))

const LEASE = 'load'
const LOOK_AGAIN_MS = 500
/** Long enough for a nightly load to finish while a user waits at the command line, but not for a year of data. */
export const PATIENCE_MS = 60_000
/** Below this many changed projects, skip updating statistics. */
const WORTH_STATISTICS = 1_000
/** Chunks of 1,000 rows; the rest of a larger source is published while it is read (decision 0156). */
const WORTH_ALONG = 20
/** Servers poll for publications every two seconds; after this time all have read the data preloaded for them. */
const READ_BY_ALL_MS = 10_000

/**
 * Runs `work`, possibly several loads, as the only loader across all processes. Rejects with `LoadBusy` if another one
 * is still running after `waitMs` (0: immediately).
 */
export async function asOnlyLoader<T>(db: Db, work: (lease: JobLease) => Promise<T>, waitMs = 0): Promise<T> {
  const until = performance.now() + waitMs
  for (;;) {
    const done = await withLease(db, LEASE, work)
    if (done !== undefined) return done.result
    if (performance.now() >= until) throw new LoadBusy('another load is running: try again when it is done')
    await sleep(LOOK_AGAIN_MS)
  }
}

/**
 * Loads one source: stages it in chunks, then publishes, matches and notifies in one transaction, so that readers see
 * all of the load or nothing. If interrupted while staging, the next call resumes; if refused while publishing, the
 * load is marked failed. Rejects with `FeedFormatError` for an unusable source and with `LeaseLost` when another
 * process took over.
 */
export async function runLoad(
  db: Db,
  lease: JobLease,
  source: FeedSource,
  options: RunLoadOptions,
): Promise<LoadReport> {
  const pace = watchServing(db)
  try {
    return await run({ db, lease, options, pace }, source)
  } finally {
    await pace.stop()
  }
}

type Run = { readonly db: Db; readonly lease: JobLease; readonly options: RunLoadOptions; readonly pace: Pace }

async function run(it: Run, source: FeedSource): Promise<LoadReport> {
  const { db, options, pace } = it
  const { origin, fingerprint, onProgress, signal, stagedFirst = WORTH_ALONG } = options
  const startedAt = performance.now()
  const stage = {
    ...{ origin, fingerprint },
    onProgress: ({ read, quarantined }: StageProgress) => onProgress?.({ phase: 'read', done: read, quarantined }),
  }
  const sound = stoppable(source, signal)
  const mostChunks = db.engine === 'postgres' ? stagedFirst : Number.POSITIVE_INFINITY
  const begun = await beginLoad(db, sound, { ...stage, mostChunks })
  if (options.needsRows && begun.staged === 0 && !begun.unread) await refuseEmpty(db, begun)
  const { left, ...report } = await publish(it, begun).catch(async (error: unknown) => {
    if (!(error instanceof FeedFormatError)) throw error
    // The source turned out unusable after its beginning: read it again without publishing, so that its row errors are
    // recorded and the load is marked failed.
    return await publish(it, await stageLoad(db, sound, stage))
  })
  const publishedAt = performance.now()
  if (!options.isFirstOfMany) await workOut(db, { changed: changedBy(report), onProgress, left, pace })
  // After a shorter derivation servers may not have read the preloaded data yet; it is small, and the next load clears
  // it.
  if (begun.unread && performance.now() - publishedAt > READ_BY_ALL_MS) await clearAhead(db)
  return { ...report, seconds: (performance.now() - startedAt) / 1000 }
}

async function refuseEmpty(db: Db, { loadId, quarantined }: BegunLoad): Promise<never> {
  const [first] = await findQuarantined(db, loadId, 0, 1)
  const reason = `นำเข้าไม่ได้สักแถว กักไว้ ${quarantined} แถว แถวแรก (บรรทัดที่ ${first?.line}): ${first?.reason}`
  await failLoad(db, loadId, reason)
  throw new FeedFormatError(reason)
}

const changedBy = ({ newProjects, updatedProjects }: Pick<LoadReport, 'newProjects' | 'updatedProjects'>) =>
  newProjects + updatedProjects

/** `left`: what is still to be derived of a load that was derived while it was published. */
type PublishedReport = Omit<LoadReport, 'seconds'> & { readonly left: LeftOf | undefined }

async function publish(it: Run, begun: BegunLoad): Promise<PublishedReport> {
  const { unread } = begun
  if (!unread) return await publishIn(it, begun)
  const along = await PublishAlong.open(it.db)
  try {
    const report = await publishIn(it, begun, along)
    return (await along.commit()) ? report : { ...report, left: undefined }
  } finally {
    await Promise.all([along.end(), unread.end()])
  }
}

async function publishIn(
  { db, lease, pace, options }: Run,
  { unread, ...staged }: BegunLoad,
  beside?: PublishAlong,
): Promise<PublishedReport> {
  const { today = bangkokToday(new Date()), night, isIncrement, isDaily, now = () => new Date() } = options
  const { within, onProgress } = options
  const { loadId } = staged
  try {
    return await db.transaction(
      async (tx) => {
        await lease.confirm(tx)
        const begun = await beside?.begin(tx, loadId)
        const { isHistory, isOfAllDates, rewritten, refused, ...published } = await publishLoad(tx, loadId, {
          ...{ today, night, isIncrement, isDaily, unread, along: begun?.along, pace },
          onProgress: (progress) => onProgress?.({ phase: 'publish', ...progress }),
        })
        await beside?.sealAhead(tx, { ...published, rewritten })
        if (changedBy(published) >= WORTH_STATISTICS) await refreshStatistics(tx, ['projects'])
        const matched = await matchLoad(tx, loadId, {
          along: begun && { matching: begun.matching, rewritten },
          onProgress: (progress) => onProgress?.({ phase: 'match', ...progress }),
        })
        // The bell shows the latest notification first: a deadline tomorrow above a contract that ends in half a year.
        if (!isHistory) await tellContractEnds(tx, loadId, { today, at: now(), isOfAllDates })
        await notifyOfLoad(tx, loadId, { today, at: now(), isOfAllDates })
        if (!isHistory) await tellFollowers(tx, loadId, now())
        if (!isHistory) await askAfterLoad(tx, now(), { isIncrement })
        if (!isHistory) await askForAdvice(tx, now())
        if (!isHistory) await scheduleReportMails(tx, loadId, { now: now(), isIncrement })
        if (!isHistory) await scheduleMornings(tx, now())
        if (!isHistory) await writeLoadEvents(tx, loadId, now())
        await within?.(tx)
        const left = begun && { loadId, projectIds: [...rewritten].sort() }
        const progress = { ...staged, ...unread?.progress }
        const rows = { staged: progress.staged - refused, quarantined: progress.quarantined + refused }
        return { ...progress, ...rows, ...published, ...matched, left }
      },
      { idleTimeoutMs: 0 },
    )
  } catch (error) {
    // A content error would recur on retry, so the load fails for good. Other errors may be transient.
    if (error instanceof StatementError) await failLoad(db, loadId, error.message)
    throw error
  }
}

function stoppable(source: FeedSource, signal: AbortSignal | undefined): FeedSource {
  if (signal === undefined) return source
  async function* records(resumeAfterLine: number): ReturnType<FeedSource['records']> {
    for await (const item of source.records(resumeAfterLine)) {
      signal?.throwIfAborted()
      yield item
    }
  }
  return { ...source, records: (line) => records(line) }
}
