import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type DerivationProject,
  type DerivationStep,
  runDerivationSteps,
} from '#server/catalogue/feed/written-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  awaitAllThenThrow,
  mapInTimeSlices,
  UNTHROTTLED_WORK,
  type WorkThrottle,
} from '#server/platform/engine/process-in-batches.ts'
import { refreshPlannerStatistics } from '#server/platform/engine/vacuum-after-data-load.ts'
import { COMPANY_FIGURES_VERSION } from './company-scope.ts'
import { deriveProjectFacts } from './project-facts.ts'
import {
  countStaleCompanies,
  findStaleCompanies,
  findStaleDepartments,
  recountCompanyFigures,
  recountDepartmentSpending,
} from './queries/recount-figures.ts'
import {
  type DerivedCompanyFacts,
  findLoadsWithoutCompanyFacts,
  findMissingCompanyRows,
  insertMissingCompanyRows,
  markCompanyFactsWritten,
  saveCompanyFacts,
} from './queries/update.ts'

/** Number of companies or departments per batch: about 100 ms of work, so that other work can run in between. */
const COMPANY_BATCH = 500
const DEPARTMENT_BATCH = 200
const LANES = [0, 1] as const
/**
 * Disables the idle timeout once for the whole transaction, because changing it per statement would cost a round trip
 * each.
 */
const NO_IDLE_TIMEOUT = { idleTimeoutMs: 0 }
/** Limits the cache of company names to about 30 MB. A whole year of data has about this many spellings. */
const MAX_CACHED_SPELLINGS = 200_000
const ANALYZE_THRESHOLD = 1_000

/**
 * Writes the company facts of all published loads that are not counted yet (decision 0022). Marks companies with
 * differences as stale.
 */
export async function createCompanyFactsStep(db: Db): Promise<DerivationStep> {
  const stored = new Set<string>()
  return {
    loads: await findLoadsWithoutCompanyFacts(db, COMPANY_FIGURES_VERSION),
    async prepare(projects) {
      const derived = await deriveFacts(projects)
      return async (tx) => {
        const unmet = findMissingCompanyRows(derived, stored)
        if (unmet) {
          await db.transaction((ownTx) => insertMissingCompanyRows(ownTx, unmet), NO_IDLE_TIMEOUT)
          // The transaction has committed, so the inserted rows may be cached.
          if (stored.size > MAX_CACHED_SPELLINGS) stored.clear()
          for (const key of unmet.keys) stored.add(key)
        }
        if (tx) await saveCompanyFacts(tx, derived)
        else await db.transaction((ownTx) => saveCompanyFacts(ownTx, derived), NO_IDLE_TIMEOUT)
      }
    },
  }
}

type StaleCount = {
  readonly loads: readonly number[]
  readonly isLarge: boolean
  readonly pace?: WorkThrottle | undefined
  readonly onCompany?: ((done: number, total: number) => void) | undefined
}

/** Recounts every stale company and department once. Staleness is stored in the database, so a crash loses nothing. */
export async function recountStaleCompanies(
  db: Db,
  { loads, isLarge, onCompany, pace = UNTHROTTLED_WORK }: StaleCount,
): Promise<void> {
  if (isLarge)
    await refreshPlannerStatistics(db, ['companies', 'company_names', 'company_projects', 'project_spending'])
  const stale = onCompany ? await countStaleCompanies(db) : 0
  let counted = 0
  const reportProgress = (batchSize: number) => {
    counted += batchSize
    onCompany?.(counted, stale)
  }
  // The workers write different rows, so PostgreSQL (but not the embedded database) runs them in parallel.
  await awaitAllThenThrow([
    ...LANES.map((lane) =>
      forEachStaleBatch(
        db,
        pace,
        (tx) => findStaleCompanies(tx, COMPANY_BATCH, lane),
        recountCompanyFigures,
        reportProgress,
      ),
    ),
    forEachStaleBatch(db, pace, (tx) => findStaleDepartments(tx, DEPARTMENT_BATCH), recountDepartmentSpending),
  ])
  await markCompanyFactsWritten(db, loads, COMPANY_FIGURES_VERSION)
}

/**
 * Counts wins and bids of all published loads that are not counted yet, outside the transaction that published them.
 * After a crash the next call resumes at the first uncounted load. Returns the number of projects counted.
 */
export async function updateCompanyFacts(
  db: Db,
  { onProject }: { readonly onProject?: (done: number, total: number) => void } = {},
): Promise<number> {
  const step = await createCompanyFactsStep(db)
  const projects = await runDerivationSteps(db, [step], onProject)
  await recountStaleCompanies(db, { loads: step.loads, isLarge: projects >= ANALYZE_THRESHOLD })
  return projects
}

async function deriveFacts(projects: readonly DerivationProject[]): Promise<DerivedCompanyFacts> {
  const results = await mapInTimeSlices(projects, deriveProjectFacts)
  return {
    projectIds: projects.map(({ project_id }) => project_id),
    facts: results.flatMap(({ facts }) => facts),
    spending: results.flatMap(({ spending }) => spending ?? []),
  }
}

async function forEachStaleBatch(
  db: Db,
  pace: WorkThrottle,
  find: (tx: Db) => Promise<number[]>,
  count: (tx: Db, ids: readonly number[]) => Promise<void>,
  onDone?: (batchSize: number) => void,
): Promise<void> {
  for (;;) {
    const batchSize = await pace.run(() =>
      db.transaction(async (tx) => {
        const ids = await find(tx)
        if (ids.length > 0) await count(tx, ids)
        return ids.length
      }),
    )
    if (batchSize === 0) return
    onDone?.(batchSize)
    await yieldToEventLoop()
  }
}

export async function areCompanyFactsCurrent(db: Db): Promise<boolean> {
  return (await findLoadsWithoutCompanyFacts(db, COMPANY_FIGURES_VERSION)).length === 0
}
