import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type DerivationStep,
  runDerivationSteps,
  type WrittenProject,
} from '#server/catalogue/feed/written-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { FULL_PACE, mapYielding, type Pace, settleAll } from '#server/platform/engine/in-batches.ts'
import { refreshStatistics } from '#server/platform/engine/vacuum-after-load.ts'
import { COMPANIES_VERSION } from './company-scope.ts'
import { deriveProjectFacts } from './project-facts.ts'
import {
  countStaleCompanies,
  findStaleCompanies,
  findStaleDepartments,
  recountCompanies,
  recountDepartments,
} from './queries/recount-figures.ts'
import { findStaleSharedNames, splitSharedNames } from './queries/split-names.ts'
import {
  type DerivedFacts,
  findLoadsToCount,
  insertMissingRows,
  markCounted,
  missingRowsOf,
  saveFacts,
} from './queries/update.ts'

/** Batch sizes: about 100 ms of work each, so that other work can run in between. */
const COMPANY_BATCH = 500
const DEPARTMENT_BATCH = 200
const LANES = [0, 1] as const
/**
 * Disables the idle timeout once for the whole transaction, because changing it per statement would cost a round trip
 * each.
 */
const NO_IDLE_TIMEOUT = { idleTimeoutMs: 0 }
/** Limits the cache of company names to about 30 MB; a whole year has about this many. */
const MAX_CACHED_SPELLINGS = 200_000
const ANALYZE_THRESHOLD = 1_000

/**
 * Writes the company facts of all published loads that are not counted yet (decision 0022). Marks companies with
 * differences as stale.
 */
export async function createCompanyFactsStep(db: Db): Promise<DerivationStep> {
  const stored = new Set<string>()
  return {
    loads: await findLoadsToCount(db, COMPANIES_VERSION),
    async prepare(projects) {
      const derived = await deriveFacts(projects)
      return async (tx) => {
        const unmet = missingRowsOf(derived, stored)
        if (unmet) {
          await db.transaction((ownTx) => insertMissingRows(ownTx, unmet), NO_IDLE_TIMEOUT)
          // The transaction has committed, so these rows may be cached.
          if (stored.size > MAX_CACHED_SPELLINGS) stored.clear()
          for (const key of unmet.keys) stored.add(key)
        }
        if (tx) await saveFacts(tx, derived)
        else await db.transaction((ownTx) => saveFacts(ownTx, derived), NO_IDLE_TIMEOUT)
      }
    },
  }
}

type StaleCount = {
  readonly loads: readonly number[]
  readonly isLarge: boolean
  readonly pace?: Pace | undefined
  readonly onCompany?: ((done: number, total: number) => void) | undefined
}

/** Recounts every stale company and department once. Staleness is stored in the database, so a crash loses nothing. */
export async function recountStaleCompanies(
  db: Db,
  { loads, isLarge, onCompany, pace = FULL_PACE }: StaleCount,
): Promise<void> {
  if (isLarge) await refreshStatistics(db, ['companies', 'company_names', 'company_projects', 'project_spending'])
  const stale = onCompany ? await countStaleCompanies(db) : 0
  let counted = 0
  const reportProgress = (batchSize: number) => {
    counted += batchSize
    onCompany?.(counted, stale)
  }
  await splitStaleNames(db, pace)
  // The workers write different rows, so PostgreSQL runs them in parallel; the embedded database runs them one after
  // another.
  await settleAll([
    ...LANES.map((lane) =>
      forEachStaleBatch(
        db,
        pace,
        (tx) => findStaleCompanies(tx, COMPANY_BATCH, lane),
        recountCompanies,
        reportProgress,
      ),
    ),
    forEachStaleBatch(db, pace, (tx) => findStaleDepartments(tx, DEPARTMENT_BATCH), recountDepartments),
  ])
  await markCounted(db, loads, COMPANIES_VERSION)
}

/**
 * Counts wins and bids of all published loads that are not counted yet, outside the transaction that published them.
 * After a crash the next call resumes at the first uncounted load. Returns the number of projects counted.
 */
export async function updateCompanies(
  db: Db,
  { onProject }: { readonly onProject?: (done: number, total: number) => void } = {},
): Promise<number> {
  const step = await createCompanyFactsStep(db)
  const projects = await runDerivationSteps(db, [step], onProject)
  await recountStaleCompanies(db, { loads: step.loads, isLarge: projects >= ANALYZE_THRESHOLD })
  return projects
}

async function deriveFacts(projects: readonly WrittenProject[]): Promise<DerivedFacts> {
  const results = await mapYielding(projects, deriveProjectFacts)
  return {
    projectIds: projects.map(({ project_id }) => project_id),
    facts: results.flatMap(({ facts }) => facts),
    spending: results.flatMap(({ spending }) => spending ?? []),
  }
}

/**
 * Splits names shared by several sellers. Must run before figures are counted, because it decides to which company each
 * project belongs.
 */
async function splitStaleNames(db: Db, pace: Pace): Promise<void> {
  let after = 0
  for (;;) {
    const ids = await pace.run(() =>
      db.transaction(async (tx) => {
        const nameIds = await findStaleSharedNames(tx, after, COMPANY_BATCH)
        if (nameIds.length > 0) await splitSharedNames(tx, nameIds)
        return nameIds
      }),
    )
    if (ids.length === 0) return
    after = ids.at(-1)!
    await yieldToEventLoop()
  }
}

async function forEachStaleBatch(
  db: Db,
  pace: Pace,
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

export async function areCompaniesCurrent(db: Db): Promise<boolean> {
  return (await findLoadsToCount(db, COMPANIES_VERSION)).length === 0
}
