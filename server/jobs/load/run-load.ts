import { setTimeout as sleep } from 'node:timers/promises'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { notifyOfLoad } from '#server/account/notification/create-notifications.ts'
import { FeedFormatError, type FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { publishLoad } from '#server/catalogue/feed/load.ts'
import type { LoadProgress, LoadReport } from '#server/catalogue/feed/load-report.ts'
import { failLoad, findQuarantined } from '#server/catalogue/feed/queries-load.ts'
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

/** Another load is being taken in, by this process or another. */
export class LoadBusy extends Error {
  override readonly name = 'LoadBusy'
}

export type RunLoadOptions = {
  /** What was read, as the list of loads shows it: a file name or an address. */
  readonly origin: string
  /** Equal for equal content; an interrupted load with the same one is continued. */
  readonly fingerprint: string
  /** ISO date in Bangkok; the present day when absent. */
  readonly today?: string | undefined
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined
  /** Stops reading; what was staged stays and is continued next time. */
  readonly signal?: AbortSignal | undefined
  /** Leaves traits, companies and statistics to whoever takes in more right after it. */
  readonly isFirstOfMany?: boolean | undefined
  /** The Bangkok day of the evening whose loads count as one for New (`nightOf`); without it the load begins New anew. */
  readonly night?: string | undefined
  /** One of hundreds in a night (decision 0059): it looks at what it brought, and the first of a day at all. */
  readonly isIncrement?: boolean | undefined
  /** The load of 01:00 without records: it works out the day for all projects, and is no history though it brings nothing. */
  readonly isDaily?: boolean | undefined
  /** Chunks of 1,000 rows that are staged before a source is published as it is read; tests say fewer than `WORTH_ALONG`. */
  readonly stagedFirst?: number | undefined
  /** The moment at which users are told; default: the present one. */
  readonly now?: (() => Date) | undefined
  /** Refuses a source of which every row is quarantined: a load of nothing would look like success. */
  readonly needsRows?: boolean | undefined
  /** Done in the transaction that publishes: it is true exactly when the load is. */
  readonly within?: ((tx: Db) => Promise<void>) | undefined
}

/** The evening at which the feed of e-GP opens: what comes in until the next one is one night's. */
const EVENING_MS = 17.5 * 60 * 60 * 1000

/** The night to which a load of this moment belongs, by the Bangkok day of its evening. */
export const nightOf = (now: Date): string => bangkokToday(new Date(now.getTime() - EVENING_MS))

const LEASE = 'load'
const LOOK_AGAIN_MS = 500
/** Somebody who waits at a command line waits for a nightly load to end, but not for a year of data. */
export const PATIENCE_MS = 60_000
/** Loads that changed fewer projects leave the planner as wise as it was. */
const WORTH_STATISTICS = 1_000
/** Chunks of 1,000 rows: what a larger source has behind them is published as it is read (decision 0156). */
const WORTH_ALONG = 20
/** Servers look every two seconds what was published; behind this all have read what was stored for them. */
const READ_BY_ALL_MS = 10_000

/**
 * Runs `work`, which may take in several loads, as the only loader in all processes. Rejects with `LoadBusy` when another one is still at it
 * after `waitMs` (0: at once).
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
 * Takes one source in: stages it in chunks, then publishes, matches and notifies in one transaction, so that readers see the load whole or not at all.
 * Interrupted while staging, it goes on where it stopped; refused while publishing, it is marked failed.
 * Rejects with `FeedFormatError` for an unusable source and with `LeaseLost` when another process took over.
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
    // Unusable behind its beginning: read once more without publishing, so that what is wrong with its rows is kept, and the load is marked failed.
    return await publish(it, await stageLoad(db, sound, stage))
  })
  const publishedAt = performance.now()
  if (!options.isFirstOfMany) await workOut(db, { changed: changedBy(report), onProgress, left, pace })
  // What was worked out sooner was little, and is taken away before the next one.
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

/** `left`: what is still to be worked out of a load that was worked out while it was published. */
type PublishedReport = Omit<LoadReport, 'seconds'> & { readonly left: LeftOf | undefined }

/** What is left unread of a source is published as it is read, and worked out meanwhile. */
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
        // What is told last stands first in the bell: a last day of tomorrow before a contract that ends in half a year.
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
    // Refused for what it contains: the next try would be refused too. Everything else may go better next time.
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
