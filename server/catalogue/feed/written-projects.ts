import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import {
  awaitAllThenThrow,
  createPageReader,
  createSliceReader,
  processInBatches,
  runThrottled,
  UNTHROTTLED_WORK,
  type WorkThrottle,
} from '#server/platform/engine/process-in-batches.ts'
import type { NewProjectRow } from './publish-projects.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

/** A stored project with everything that derived data is computed from. Amounts in satang, ISO dates. */
export type DerivationProject = {
  readonly project_id: string
  readonly name: string
  readonly department_id: number
  readonly dept_name: string
  readonly dept_province: number | null
  readonly fiscal_year: number | null
  readonly project_province: number | null
  readonly method: string
  readonly method_type: string
  readonly criteria: string
  readonly status: string
  readonly movement: string
  readonly is_archived: boolean
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_satang: number | null
  readonly winner_name: string | null
  readonly winner_count: number
  readonly winner_announced_on: string | null
  readonly contract_signed_on: string | null
  readonly submission_ends_on: string | null
  readonly bidding_invited_on: string | null
  readonly movement_on: string | null
  readonly is_movement_undated: boolean
  readonly draft_published_on: string | null
  readonly contracts: readonly DerivationContract[]
  readonly bidders: readonly DerivationBidder[]
}
export type DerivationContract = {
  readonly winner_tin: string | null
  readonly winner_name: string | null
  readonly amount_satang: number | null
  readonly signed_on: string | null
  readonly ends_on: string | null
  readonly status: string | null
}
export type DerivationBidder = {
  readonly tin: string | null
  readonly name: string
  readonly price_satang: number | null
  readonly is_winner: boolean
  readonly is_sme: boolean | null
}

export type DerivationStep = {
  readonly loads: readonly number[]
  readonly prepare: (projects: readonly DerivationProject[]) => Promise<(tx?: Db) => Promise<void>>
  readonly onLoad?: (loadId: number) => Promise<void>
}

/** Projects per batch. A batch takes about 40 ms of database time to read, and the same to write. */
const BATCH_SIZE = 1_000
/**
 * From this many projects, two readers run in parallel to use two cores of the database, because one reader keeps them
 * only 70 % busy.
 */
const PARALLEL_THRESHOLD = 2 * BATCH_SIZE

type Range = { readonly after: string; readonly upTo?: string | undefined; readonly among?: readonly string[] }

export type RemainingDataLoadProjects = { readonly loadId: number; readonly projectIds: readonly string[] }

/**
 * Runs the pending steps over all projects of these loads and returns the number of projects. Each project is read once
 * for all steps, because reading is a third of their database cost. On PostgreSQL two readers run in parallel, each
 * over half of a large load, so the writes of a step must not deadlock between two batches. If interrupted, a step
 * restarts that load at the next call.
 */
export async function runDerivationSteps(
  db: Db,
  steps: readonly DerivationStep[],
  onProgress?: (done: number, total: number) => void,
  {
    remaining,
    pace = UNTHROTTLED_WORK,
  }: { readonly remaining?: RemainingDataLoadProjects | undefined; readonly pace?: WorkThrottle | undefined } = {},
): Promise<number> {
  const loads = [...new Set(steps.flatMap((step) => step.loads))].sort((a, b) => a - b)
  const total = onProgress ? await countWritten(db, loads) : 0
  let done = 0
  for (const loadId of loads) {
    const pendingSteps = steps.filter((step) => step.loads.includes(loadId))
    const walk = (readBatch: BatchReader) =>
      processInBatches(
        {
          read: readBatch,
          async prepare(projects: readonly DerivationProject[]) {
            const writes: (() => Promise<void>)[] = []
            for (const step of pendingSteps) writes.push(await step.prepare(projects))
            return { count: projects.length, writes }
          },
          async write({ count, writes }) {
            // The steps write different tables, so they can run in parallel.
            await runThrottled(pace, writes)
            done += count
            onProgress?.(done, total)
          },
        },
        pace,
      )
    await awaitAllThenThrow((await createReaders(db, loadId, remaining)).map(walk))
    for (const step of pendingSteps) await step.onLoad?.(loadId)
  }
  return done
}

async function countWritten(db: Db, loadIds: readonly number[]): Promise<number> {
  const [row] = await db.query<{ projects: number }>(
    sql`select count(*) as projects from projects p where p.written_load = any (${[...loadIds]}::bigint[])`,
    NO_TIMEOUT,
  )
  return row!.projects
}

type BatchReader = (before?: readonly DerivationProject[]) => Promise<readonly DerivationProject[] | undefined>

async function createReaders(
  db: Db,
  loadId: number,
  remaining: RemainingDataLoadProjects | undefined,
): Promise<readonly BatchReader[]> {
  if (remaining?.loadId === loadId)
    return splitInHalves(remaining.projectIds).map((ids) =>
      createSliceReader(ids, BATCH_SIZE, (among) => readWrittenProjects(db, loadId, { after: '', among })),
    )
  return (await splitIntoRanges(db, loadId)).map((range) =>
    createPageReader(BATCH_SIZE, (last?: DerivationProject) =>
      readWrittenProjects(db, loadId, last ? { ...range, after: last.project_id } : range),
    ),
  )
}

function splitInHalves(ids: readonly string[]): readonly (readonly string[])[] {
  if (ids.length < PARALLEL_THRESHOLD) return [ids]
  const middle = Math.floor(ids.length / 2)
  return [ids.slice(0, middle), ids.slice(middle)]
}

/**
 * Splits a large load into two ranges for parallel readers. Returns one range on the embedded database, whose single
 * session would make a second reader useless.
 */
async function splitIntoRanges(db: Db, loadId: number): Promise<readonly Range[]> {
  const projects = db.engine === 'postgres' ? await countWritten(db, [loadId]) : 0
  if (projects < PARALLEL_THRESHOLD) return [{ after: '' }]
  const [middle] = await db.query<{ project_id: string }>(
    sql`
      select p.project_id from projects p where p.written_load = ${loadId}::bigint
      order by p.project_id offset ${Math.floor(projects / 2)}::int limit 1`,
    NO_TIMEOUT,
  )
  // Another load has rewritten the projects since they were counted, so read whatever remains in one range.
  if (!middle) return [{ after: '' }]
  return [{ after: '', upTo: middle.project_id }, { after: middle.project_id }]
}

type WithProjectId<T> = T & { readonly project_id: string }

/**
 * Returns the next projects in the range that this load wrote last. Contracts and bidders are queried as separate rows:
 * aggregating them into JSON in the database took half of all reading (4 of 8 µs per project, 2026-11-27).
 */
async function readWrittenProjects(
  db: Db,
  loadId: number,
  { after, upTo, among }: Range,
): Promise<DerivationProject[]> {
  const within = sql`${upTo === undefined ? empty : sql`and p.project_id <= ${upTo}::text`} ${among ? sql`and p.project_id = any (${[...among]}::text[])` : empty}`
  const projects = await db.query<Omit<DerivationProject, 'contracts' | 'bidders'>>(
    sql`
      select p.project_id, p.name, p.department_id, d.name as dept_name, d.province as dept_province, p.fiscal_year, p.project_province, p.method,
        p.method_type, p.criteria, p.status, p.movement, p.is_archived, p.budget_satang, p.estimate_satang, p.winner_satang, p.winner_name, p.winner_count,
        p.winner_announced_on, p.contract_signed_on, p.submission_ends_on, p.bidding_invited_on, p.movement_on, p.is_movement_undated, p.draft_published_on
      from projects p join departments d on d.id = p.department_id
      where p.written_load = ${loadId}::bigint and p.project_id > ${after}::text ${within} order by p.project_id limit ${BATCH_SIZE}::int`,
    NO_TIMEOUT,
  )
  const ids = sql`${projects.map(({ project_id }) => project_id)}::text[]`
  const [contracts, bidders] = await Promise.all([
    db.query<WithProjectId<DerivationContract>>(
      sql`
        select c.project_id, c.winner_tin, c.winner_name, c.amount_satang, c.signed_on, c.ends_on, c.status from contracts c
        where c.project_id = any (${ids}) order by c.project_id, c.contract_no collate "C"`,
      NO_TIMEOUT,
    ),
    db.query<WithProjectId<DerivationBidder>>(
      sql`
        select b.project_id, b.tin, b.name, b.price_satang, b.is_winner, b.is_sme from bidders b
        where b.project_id = any (${ids}) order by b.project_id, b.position`,
      NO_TIMEOUT,
    ),
  ])
  const contractsOf = Map.groupBy(contracts, ({ project_id }) => project_id)
  const biddersOf = Map.groupBy(bidders, ({ project_id }) => project_id)
  return projects.map((project) => ({
    ...project,
    contracts: contractsOf.get(project.project_id) ?? [],
    bidders: biddersOf.get(project.project_id) ?? [],
  }))
}

const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

export function toDerivationProject({ row, departmentId, contracts, bidders = [] }: NewProjectRow): DerivationProject {
  return {
    ...row,
    department_id: departmentId,
    contracts: contracts.length < 2 ? contracts : contracts.toSorted((a, b) => byText(a.contract_no, b.contract_no)),
    bidders: bidders.toSorted((a, b) => a.position - b.position),
  }
}

/**
 * Sums the contract amounts. Null if there are no contracts or any amount is unknown, since a partial total would be
 * misleading.
 */
export function sumContractAmounts(contracts: readonly DerivationContract[]): number | null {
  let satang = 0
  for (const { amount_satang } of contracts) {
    if (amount_satang === null) return null
    satang += amount_satang
  }
  return contracts.length === 0 ? null : satang
}
