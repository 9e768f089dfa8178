import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Db } from '#server/engine/db.ts'
import { behind, inBatches, mapInTurns } from '#server/engine/in-batches.ts'
import { refreshStatistics } from '#server/engine/tidy-up.ts'
import { COMPANIES_VERSION } from './company-scope.ts'
import { type CountedProject, factsOf } from './project-facts.ts'
import {
  countCompanies,
  countDepartments,
  countStaleCompanies,
  findStaleCompanies,
  findStaleDepartments,
} from './queries/figures.ts'
import {
  countProjectsToCount,
  findLoadsToCount,
  loadProjectsToCount,
  markCounted,
  type SaidByProjects,
  saveFacts,
} from './queries/update.ts'

/** Each batch is about 100 ms of work. Other work runs in between. */
const PROJECTS = 1_000
const COMPANIES = 500
const DEPARTMENTS = 200
/** Companies are counted by two at a time, those with even numbers and those with odd ones. */
const LANES = [0, 1] as const
/** About 30 MB of companies' names, so many as a whole year has. */
const MOST_SPELLINGS = 200_000
/** Fewer projects leave the statistics of the tables as good as they were. */
const WORTH_STATISTICS = 1_000

/** Told after each batch, with how many there are: projects whose companies were noted, then companies counted. */
type CompanyProgress = {
  readonly onProject?: (done: number, total: number) => void
  readonly onCompany?: (done: number, total: number) => void
}

/**
 * Counts what companies won and bid in all published loads that are not counted yet, outside the transaction that published them (decision 0022).
 * First it stores what each project says of its companies. Then it counts the figures of every company and department that changed, each once. After
 * a crash the next call begins again with the first of these loads; what is stale is stored in the database, so nothing is lost.
 * Answers the number of projects counted.
 */
export async function updateCompanies(db: Db, { onProject, onCompany }: CompanyProgress = {}): Promise<number> {
  const loads = await findLoadsToCount(db, COMPANIES_VERSION)
  const total = onProject ? await countProjectsToCount(db, loads) : 0
  const stored = new Set<string>()
  let done = 0
  for (const loadId of loads) {
    await inBatches({
      read: behind(PROJECTS, (last?: CountedProject) =>
        loadProjectsToCount(db, loadId, last?.project_id ?? '', PROJECTS),
      ),
      prepare: saidBy,
      async write(said) {
        // Only what was committed is known to be stored.
        for (const spelling of await db.transaction((tx) => saveFacts(tx, said, stored))) stored.add(spelling)
        if (stored.size > MOST_SPELLINGS) stored.clear()
        done += said.projectIds.length
        onProject?.(done, total)
      },
    })
  }
  if (done >= WORTH_STATISTICS)
    await refreshStatistics(db, ['companies', 'company_names', 'company_projects', 'project_spending'])
  const stale = onCompany ? await countStaleCompanies(db) : 0
  let counted = 0
  const tell = (some: number) => {
    counted += some
    onCompany?.(counted, stale)
  }
  // They write different rows, so PostgreSQL counts them beside each other; the embedded database does one after the other.
  await allEnded([
    ...LANES.map((lane) => eachStale(db, (tx) => findStaleCompanies(tx, COMPANIES, lane), countCompanies, tell)),
    eachStale(db, (tx) => findStaleDepartments(tx, DEPARTMENTS), countDepartments),
  ])
  await markCounted(db, loads, COMPANIES_VERSION)
  return done
}

async function saidBy(projects: readonly CountedProject[]): Promise<SaidByProjects> {
  const counted = await mapInTurns(projects, factsOf)
  return {
    projectIds: projects.map(({ project_id }) => project_id),
    facts: counted.flatMap(({ facts }) => facts),
    spending: counted.flatMap(({ spending }) => spending ?? []),
  }
}

/** Waits for all. A failure is thrown only when all have ended: the next call must not meet what is left of this one. */
async function allEnded(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}

async function eachStale(
  db: Db,
  find: (tx: Db) => Promise<number[]>,
  count: (tx: Db, ids: readonly number[]) => Promise<void>,
  onDone?: (some: number) => void,
): Promise<void> {
  for (;;) {
    const some = await db.transaction(async (tx) => {
      const ids = await find(tx)
      if (ids.length > 0) await count(tx, ids)
      return ids.length
    })
    if (some === 0) return
    onDone?.(some)
    await yieldToEventLoop()
  }
}

/** Whether `updateCompanies` has no work left. */
export async function areCompaniesKept(db: Db): Promise<boolean> {
  return (await findLoadsToCount(db, COMPANIES_VERSION)).length === 0
}
