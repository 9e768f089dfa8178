import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { eachWritten, type WrittenProject, type WrittenStep } from '#server/catalogue/feed/written-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { allEnded, FULL_PACE, mapInTurns, type Pace } from '#server/platform/engine/in-batches.ts'
import { refreshStatistics } from '#server/platform/engine/tidy-up.ts'
import { COMPANIES_VERSION } from './company-scope.ts'
import { factsOf } from './project-facts.ts'
import {
  countCompanies,
  countDepartments,
  countStaleCompanies,
  findStaleCompanies,
  findStaleDepartments,
} from './queries/figures.ts'
import { findStaleNames, splitNames } from './queries/split-names.ts'
import { addUnmet, findLoadsToCount, markCounted, type SaidByProjects, saveFacts, unmetOf } from './queries/update.ts'

/** Each batch is about 100 ms of work, so that other work can run in between. */
const COMPANIES = 500
const DEPARTMENTS = 200
/** Two workers count companies, one for even and one for odd ids. */
const LANES = [0, 1] as const
/** One setting for the whole transaction; changing it per statement would cost a round trip each. */
const NO_LIMIT = { idleTimeoutMs: 0 }
/** Memory limit: about 30 MB of company names, as many as a whole year has. */
const MOST_SPELLINGS = 200_000
/** Below this many changed projects, skip ANALYZE. */
const WORTH_STATISTICS = 1_000

/**
 * Writes the company facts of all published loads that are not counted yet (decision 0022). Differences mark companies
 * as stale.
 */
export async function companyFactsStep(db: Db): Promise<WrittenStep> {
  const stored = new Set<string>()
  return {
    loads: await findLoadsToCount(db, COMPANIES_VERSION),
    async prepare(projects) {
      const said = await saidBy(projects)
      return async (tx) => {
        const unmet = unmetOf(said, stored)
        if (unmet) {
          await db.transaction((own) => addUnmet(own, unmet), NO_LIMIT)
          // Remember only committed rows as stored.
          if (stored.size > MOST_SPELLINGS) stored.clear()
          for (const key of unmet.keys) stored.add(key)
        }
        if (tx) await saveFacts(tx, said)
        else await db.transaction((own) => saveFacts(own, said), NO_LIMIT)
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
export async function countStale(db: Db, { loads, isLarge, onCompany, pace = FULL_PACE }: StaleCount): Promise<void> {
  if (isLarge) await refreshStatistics(db, ['companies', 'company_names', 'company_projects', 'project_spending'])
  const stale = onCompany ? await countStaleCompanies(db) : 0
  let counted = 0
  const tell = (some: number) => {
    counted += some
    onCompany?.(counted, stale)
  }
  await splitStaleNames(db, pace)
  // They write different rows, so PostgreSQL runs them in parallel; the embedded database runs them one after another.
  await allEnded([
    ...LANES.map((lane) => eachStale(db, pace, (tx) => findStaleCompanies(tx, COMPANIES, lane), countCompanies, tell)),
    eachStale(db, pace, (tx) => findStaleDepartments(tx, DEPARTMENTS), countDepartments),
  ])
  await markCounted(db, loads, COMPANIES_VERSION)
}

/**
 * Counts wins and bids of all published loads that are not counted yet, outside the transaction that published them.
 * After a crash the next call restarts with the first of these loads. Returns the number of projects counted.
 */
export async function updateCompanies(
  db: Db,
  { onProject }: { readonly onProject?: (done: number, total: number) => void } = {},
): Promise<number> {
  const step = await companyFactsStep(db)
  const projects = await eachWritten(db, [step], onProject)
  await countStale(db, { loads: step.loads, isLarge: projects >= WORTH_STATISTICS })
  return projects
}

async function saidBy(projects: readonly WrittenProject[]): Promise<SaidByProjects> {
  const counted = await mapInTurns(projects, factsOf)
  return {
    projectIds: projects.map(({ project_id }) => project_id),
    facts: counted.flatMap(({ facts }) => facts),
    spending: counted.flatMap(({ spending }) => spending ?? []),
  }
}

/** Must run before figures are counted, because it decides which company each project belongs to. */
async function splitStaleNames(db: Db, pace: Pace): Promise<void> {
  let after = 0
  for (;;) {
    const ids = await pace.run(() =>
      db.transaction(async (tx) => {
        const some = await findStaleNames(tx, after, COMPANIES)
        if (some.length > 0) await splitNames(tx, some)
        return some
      }),
    )
    if (ids.length === 0) return
    after = ids.at(-1)!
    await yieldToEventLoop()
  }
}

async function eachStale(
  db: Db,
  pace: Pace,
  find: (tx: Db) => Promise<number[]>,
  count: (tx: Db, ids: readonly number[]) => Promise<void>,
  onDone?: (some: number) => void,
): Promise<void> {
  for (;;) {
    const some = await pace.run(() =>
      db.transaction(async (tx) => {
        const ids = await find(tx)
        if (ids.length > 0) await count(tx, ids)
        return ids.length
      }),
    )
    if (some === 0) return
    onDone?.(some)
    await yieldToEventLoop()
  }
}

export async function areCompaniesKept(db: Db): Promise<boolean> {
  return (await findLoadsToCount(db, COMPANIES_VERSION)).length === 0
}
