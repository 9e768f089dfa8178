import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fiscalYearOf } from '#contract/catalogue/fiscal-year.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { sampleBudget } from '#sample/sample-budget.ts'
import { sampleWorld } from '#sample/sample-projects.ts'
import { type CreatedLife, movingSource, sampleHead, sampleParts } from '#sample/sample-source.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { addPart, closeFilling, type Filling, findFilling, openFilling } from '#server/catalogue/feed/fill-load.ts'
import type { LoadReport } from '#server/catalogue/feed/load-report.ts'
import {
  type PreparedProject,
  type PublishContext,
  prepareBatch,
  publishContext,
} from '#server/catalogue/feed/publish-projects.ts'
import { latestSampleDay, sampleFingerprint } from '#server/catalogue/feed/sample-day.ts'
import { hasBudget } from '#server/market/budget/budget-match-queries.ts'
import { replaceYear } from '#server/market/budget/replace-year.ts'
import { matchLoad } from '#server/matching/match-load.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isAnswering } from '#server/platform/engine/deadline.ts'
import { refreshStatistics } from '#server/platform/engine/tidy-up.ts'
import { type JobLease, recordRun } from '#server/platform/queue/lease.ts'
import { refreshBudgetWords } from '../intake/refresh-budget.ts'
import {
  daysUpTo,
  lastWorkingDay,
  NIGHTLY_JOB,
  type NightlyOptions,
  SAMPLE_SEED,
  takeIn,
  todayOf,
} from './nightly-load.ts'
import { asOnlyLoader } from './run-load.ts'
import { workOut } from './work-out.ts'

const YEARS = 3

/**
 * Adds the demo budget of three fiscal years to a database without one, and matches its items; the running server
 * matches its projects. Returns the number of items, 0 when a budget existed. If interrupted, the next call redoes
 * everything.
 */
async function seedBudget(
  db: Db,
  { today, now = () => new Date() }: { today: string; now?: () => Date },
): Promise<number> {
  if (await hasBudget(db)) return 0
  const world = sampleWorld(SAMPLE_SEED)
  const newest = fiscalYearOf(today)
  let items = 0
  await db.transaction(
    async (tx) => {
      for (let fiscalYear = newest - YEARS + 1; fiscalYear <= newest; fiscalYear += 1) {
        const rows = sampleBudget(world, fiscalYear)
        const year = { fiscalYear, origin: `sample ${fiscalYear}`, read: rows.length, rows, refused: [], at: now() }
        await replaceYear(tx, year)
        items += rows.length
        await yieldToEventLoop()
      }
    },
    { idleTimeoutMs: 0 },
  )
  await refreshBudgetWords(db, { now })
  return items
}

/** `days`: length of the history; defaults to three fiscal years. */
export type SeedOptions = NightlyOptions & { readonly days?: number | undefined }

/**
 * Pause between parts while requests are being served, long enough for all statements of a request. Without it each
 * statement would wait for a part, and a first report for a dozen.
 */
const PAUSE_MS = 20
/** Other loads may take long, and the demo data must not stay incomplete until the next start. */
const WAIT_MS = 600_000

export async function seedSample(db: Db, options: SeedOptions = {}): Promise<void> {
  await beginSample(db, options)
  await finishSample(db, options)
}

/**
 * Adds what a report needs first (decision 0036): projects that are open or about to change, then everything since the
 * last working day as a separate load, so that the report shows new and changed projects, even on a Sunday. Returns the
 * report of that second load; undefined when it is already present. If interrupted, the next call resumes. Rejects with
 * `LoadBusy` while another process loads.
 */
export async function beginSample(db: Db, options: SeedOptions = {}): Promise<LoadReport | undefined> {
  const today = todayOf(options)
  return await asOnlyLoader(db, async (lease) => {
    if ((await latestSampleDay(db)) !== undefined) return undefined
    const filling = await findFilling(db)
    const before = filling === undefined ? addDays(lastWorkingDay(today), -1) : dayOf(filling)
    const step = daysUpTo(before, today, today, options.days)
    const head = { seed: SAMPLE_SEED, before, today, days: options.days }
    const source = filling === undefined ? movingSource(await publishHead(db, lease, head), head) : step.source
    const recent = await takeIn(db, lease, { ...step, source }, { ...options, isFirstOfMany: true })
    await recordRun(db, NIGHTLY_JOB, today)
    return recent
  })
}

/**
 * Adds what `beginSample` left out: the rest of the history, newest first and a week per transaction so that readers
 * get their turn; then data derived once from all of it (traits, companies, statistics), and the budget. If
 * interrupted, the next call resumes; a no-op when complete. Waits up to ten minutes for another loader, then rejects
 * with `LoadBusy`; rejects with the signal's reason.
 */
export async function finishSample(db: Db, options: SeedOptions = {}): Promise<void> {
  const { onProgress } = options
  await asOnlyLoader(
    db,
    async (lease) => {
      const filling = await findFilling(db)
      if (filling !== undefined) {
        await publishRest(db, lease, filling, options)
        await refreshStatistics(db, ['projects', 'contracts', 'bidders'])
        await workOut(db, { changed: Number.POSITIVE_INFINITY, onProgress })
      }
      await seedBudget(db, { today: todayOf(options) })
    },
    WAIT_MS,
  )
}

const dayOf = ({ fingerprint }: Filling) => fingerprint.split(':').at(-1)!

function contextOf(loadId: number, today: string): PublishContext {
  return publishContext(loadId, 'sample', today)
}

const prepare = (context: PublishContext, records: readonly FeedRecord[]) =>
  prepareBatch(context, { records: Map.groupBy(records, ({ projectId }) => projectId), known: new Map() })

async function publishHead(
  db: Db,
  lease: JobLease,
  head: Parameters<typeof sampleHead>[0],
): Promise<readonly CreatedLife[]> {
  const { before } = head
  const { records, total, moving } = sampleHead(head)
  const load = { source: 'sample', fingerprint: sampleFingerprint(SAMPLE_SEED, before), total }
  await db.transaction(
    async (tx) => {
      await lease.confirm(tx)
      const context = contextOf(await openFilling(tx, load), before)
      await publishPart(tx, context, await prepare(context, records))
    },
    { idleTimeoutMs: 0 },
  )
  return moving
}

async function publishRest(db: Db, lease: JobLease, filling: Filling, options: SeedOptions): Promise<void> {
  const before = dayOf(filling)
  const context = contextOf(filling.loadId, before)
  const parts = sampleParts({
    seed: SAMPLE_SEED,
    today: before,
    ...(options.days === undefined ? {} : { days: options.days }),
  })
  // The next part is computed while the database writes the previous one.
  const next = async () => {
    const { value } = parts.next()
    return value === undefined ? undefined : await prepare(context, value)
  }
  let { done } = filling
  let part = await next()
  while (part !== undefined) {
    options.signal?.throwIfAborted()
    const [written, following] = await Promise.allSettled([writePart(db, lease, context, part), next()])
    if (written.status === 'rejected') throw written.reason
    if (following.status === 'rejected') throw following.reason
    done += written.value
    options.onProgress?.({ phase: 'publish', done, total: filling.total })
    if (isAnswering()) await sleep(PAUSE_MS)
    part = following.value
  }
  await db.transaction(async (tx) => {
    await lease.confirm(tx)
    await closeFilling(tx, filling.loadId)
  })
}

const writePart = (db: Db, lease: JobLease, context: PublishContext, part: readonly PreparedProject[]) =>
  db.transaction(
    async (tx) => {
      await lease.confirm(tx)
      return await publishPart(tx, context, part)
    },
    { idleTimeoutMs: 0 },
  )

async function publishPart(tx: Db, context: PublishContext, part: readonly PreparedProject[]): Promise<number> {
  const ids = await addPart(tx, context, part)
  await matchLoad(tx, context.loadId, { only: ids })
  return ids.length
}
