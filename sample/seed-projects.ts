import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { addDays, getFiscalYear } from '#contract/thai/thai-date.ts'
import { buildDemoFingerprint, readLatestDemoDay } from '#server/catalogue/feed/demo-source.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import type { DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import {
  findProgressiveDataLoad,
  finishProgressiveDataLoad,
  insertProgressiveDataLoadPart,
  openProgressiveDataLoad,
  type ProgressiveDataLoad,
} from '#server/catalogue/feed/progressive-load.ts'
import {
  createProjectPublicationContext,
  type PreparedProject,
  type ProjectPublicationContext,
  prepareProjectBatch,
} from '#server/catalogue/feed/publish-projects.ts'
import { refreshBudgetWordMatches } from '#server/jobs/intake/refresh-budget.ts'
import { deriveProjectData } from '#server/jobs/load/derive-project-data.ts'
import {
  getNightlyLoadDate,
  NIGHTLY_LOAD_JOB_NAME,
  type NightlyLoadStepOptions,
  runNightlyLoadStep,
} from '#server/jobs/load/nightly-load.ts'
import { withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { hasBudgetData } from '#server/market/budget/budget-match-queries.ts'
import { replaceBudgetYear } from '#server/market/budget/replace-budget-year.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hasActiveRequests } from '#server/platform/engine/deadline.ts'
import { refreshPlannerStatistics } from '#server/platform/engine/vacuum-after-data-load.ts'
import { type JobLease, recordJobRun } from '#server/platform/queue/job-lease.ts'
import { generateSampleBudget } from './sample-budget.ts'
import { createDemoDateRangeLoadStep, DEMO_DATA_RANDOM_SEED, findLastWorkingDay } from './sample-days.ts'
import { createSampleCatalogue } from './sample-projects.ts'
import {
  buildInitialSampleRecords,
  type CreatedProjectHistory,
  createDailyChangesSource,
  generateSampleRecordBatches,
} from './sample-source.ts'

const BUDGET_YEARS = 3

/**
 * Adds the demo budget of three fiscal years to a database without one, and matches its items; the running server links
 * projects to them. Returns the number of items, or 0 when a budget exists. If interrupted, the next call starts over.
 */
async function seedBudget(
  db: Db,
  { today, now = () => new Date() }: { today: string; now?: () => Date },
): Promise<number> {
  if (await hasBudgetData(db)) return 0
  const world = createSampleCatalogue(DEMO_DATA_RANDOM_SEED)
  const newest = getFiscalYear(today)
  let items = 0
  await db.transaction(
    async (tx) => {
      for (let fiscalYear = newest - BUDGET_YEARS + 1; fiscalYear <= newest; fiscalYear += 1) {
        const rows = generateSampleBudget(world, fiscalYear)
        const year = { fiscalYear, origin: `sample ${fiscalYear}`, read: rows.length, rows, refused: [], at: now() }
        await replaceBudgetYear(tx, year)
        items += rows.length
        await yieldToEventLoop()
      }
    },
    { idleTimeoutMs: 0 },
  )
  await refreshBudgetWordMatches(db, { now })
  return items
}

type DemoDataSeedOptions = NightlyLoadStepOptions & { readonly days?: number | undefined }

/**
 * Pause between parts while requests are being served, long enough for all statements of one request. Without it, each
 * statement would wait for a part to finish, and a first report for a dozen parts.
 */
const PAUSE_MS = 20
const MAX_LOADER_WAIT_MS = 600_000

export async function seedDemoData(db: Db, options: DemoDataSeedOptions = {}): Promise<void> {
  await seedRecentDemoData(db, options)
  await seedDemoHistory(db, options)
}

/**
 * Adds what a report needs first (decision 0036): projects that are open or about to change, then everything since the
 * last working day as a separate load, so that the report shows new and changed projects, even on a Sunday. Returns the
 * report of that second load; undefined when it is already present. If interrupted, the next call resumes. Rejects with
 * `DataLoadInProgressError` while another process loads.
 */
export async function seedRecentDemoData(
  db: Db,
  options: DemoDataSeedOptions = {},
): Promise<DataLoadReport | undefined> {
  const today = getNightlyLoadDate(options)
  return await withDataLoadLease(db, async (lease) => {
    if ((await readLatestDemoDay(db)) !== undefined) return undefined
    const openLoad = await findProgressiveDataLoad(db)
    const before = openLoad === undefined ? addDays(findLastWorkingDay(today), -1) : dayOf(openLoad)
    const step = createDemoDateRangeLoadStep(before, today, today, options.days)
    const head = { seed: DEMO_DATA_RANDOM_SEED, before, today, days: options.days }
    const source =
      openLoad === undefined ? createDailyChangesSource(await publishHead(db, lease, head), head) : step.source
    const recent = await runNightlyLoadStep(db, lease, { ...step, source }, { ...options, isFirstOfMany: true })
    await recordJobRun(db, NIGHTLY_LOAD_JOB_NAME, today)
    return recent
  })
}

/**
 * Adds what `seedRecentDemoData` omits: the remaining history, newest first and one week per transaction so that
 * readers are served in between; then the data derived from all of it (traits, companies, statistics), and the budget.
 * If interrupted, the next call resumes; a no-op when complete. Waits up to ten minutes for another loader, then
 * rejects with `DataLoadInProgressError`; if aborted, rejects with the signal's reason.
 */
export async function seedDemoHistory(db: Db, options: DemoDataSeedOptions = {}): Promise<void> {
  const { onProgress } = options
  await withDataLoadLease(
    db,
    async (lease) => {
      const openLoad = await findProgressiveDataLoad(db)
      if (openLoad !== undefined) {
        await publishHistory(db, lease, openLoad, options)
        await refreshPlannerStatistics(db, ['projects', 'contracts', 'bidders'])
        await deriveProjectData(db, { changedCount: Number.POSITIVE_INFINITY, onProgress })
      }
      await seedBudget(db, { today: getNightlyLoadDate(options) })
    },
    MAX_LOADER_WAIT_MS,
  )
}

const dayOf = ({ fingerprint }: ProgressiveDataLoad) => fingerprint.split(':').at(-1)!

function contextOf(loadId: number, today: string): ProjectPublicationContext {
  return createProjectPublicationContext(loadId, 'sample', today)
}

const prepare = (context: ProjectPublicationContext, records: readonly FeedRecord[]) =>
  prepareProjectBatch(context, { records: Map.groupBy(records, ({ projectId }) => projectId), existing: new Map() })

async function publishHead(
  db: Db,
  lease: JobLease,
  head: Parameters<typeof buildInitialSampleRecords>[0],
): Promise<readonly CreatedProjectHistory[]> {
  const { before } = head
  const { records, total, changing } = buildInitialSampleRecords(head)
  const load = { source: 'sample', fingerprint: buildDemoFingerprint(DEMO_DATA_RANDOM_SEED, before), total }
  await db.transaction(
    async (tx) => {
      await lease.confirm(tx)
      const context = contextOf(await openProgressiveDataLoad(tx, load), before)
      await publishPart(tx, context, await prepare(context, records))
    },
    { idleTimeoutMs: 0 },
  )
  return changing
}

async function publishHistory(
  db: Db,
  lease: JobLease,
  openLoad: ProgressiveDataLoad,
  options: DemoDataSeedOptions,
): Promise<void> {
  const before = dayOf(openLoad)
  const context = contextOf(openLoad.loadId, before)
  const parts = generateSampleRecordBatches({
    seed: DEMO_DATA_RANDOM_SEED,
    today: before,
    ...(options.days === undefined ? {} : { days: options.days }),
  })
  const prepareNext = async () => {
    const { value } = parts.next()
    return value === undefined ? undefined : await prepare(context, value)
  }
  let { done: publishedCount } = openLoad
  let part = await prepareNext()
  while (part !== undefined) {
    options.signal?.throwIfAborted()
    const [current, upcoming] = await Promise.allSettled([writePart(db, lease, context, part), prepareNext()])
    if (current.status === 'rejected') throw current.reason
    if (upcoming.status === 'rejected') throw upcoming.reason
    publishedCount += current.value
    options.onProgress?.({ phase: 'publish', done: publishedCount, total: openLoad.total })
    if (hasActiveRequests()) await sleep(PAUSE_MS)
    part = upcoming.value
  }
  await db.transaction(async (tx) => {
    await lease.confirm(tx)
    await finishProgressiveDataLoad(tx, openLoad.loadId)
  })
}

const writePart = (db: Db, lease: JobLease, context: ProjectPublicationContext, part: readonly PreparedProject[]) =>
  db.transaction(
    async (tx) => {
      await lease.confirm(tx)
      return await publishPart(tx, context, part)
    },
    { idleTimeoutMs: 0 },
  )

async function publishPart(
  tx: Db,
  context: ProjectPublicationContext,
  part: readonly PreparedProject[],
): Promise<number> {
  const ids = await insertProgressiveDataLoadPart(tx, context, part)
  await matchDataLoadProjects(tx, context.loadId, { only: ids })
  return ids.length
}
