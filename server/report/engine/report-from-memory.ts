import { REPORT_DEFAULT_PAGE_SIZE, type ReportFilterName, type ReportSearch } from '#contract/report/report-params.ts'
import { LATEST_DATA_LOAD_COLUMNS_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type { CountedAgencyUnit } from '#server/report/agency-unit.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import type {
  AnnouncedProjectOptions,
  AnnouncedProjects,
  FilterToRelax,
  ReportFacetResult,
  ReportIds,
  ReportPageResult,
  ReportSearchCount,
  ReportTabCounts,
} from '#server/report/report-queries.ts'
import type { ReportRowFileDetail } from '#server/report/report-rows-sql.ts'
import type { ReportScope, ReportSnapshotScope } from '#server/report/report-scope.ts'
import { countMarkFacets, countMatchFacets } from './count-facets.ts'
import type { FailedFilterConditions, InMemoryReportQuery } from './in-memory-report-query.ts'
import { getSortedRowsPage } from './page-order.ts'
import type { ProjectColumns } from './project-columns.ts'
import type { PreparedReportQuery, ReportCache } from './report-cache.ts'
import {
  isSameReportSnapshotVersion,
  readColumnsAtReportSnapshot,
  readReportPageRows,
  type SelectedReportRow,
} from './report-snapshot.ts'
import {
  countReportTabMatchesByStatus,
  findProjectPosition,
  findRowPosition,
  flagMatchesChangedSinceReportVisit,
  getRowsAtPositions,
} from './report-tab.ts'

/** Marks a result that belongs to no snapshot, because the data changed during the computation. */
const STALE = 'moved'

async function retryIfStale<T>(
  scope: ReportSnapshotScope,
  compute: (scope: ReportSnapshotScope) => Promise<T | typeof STALE | undefined>,
): Promise<T | undefined> {
  const first = await compute(scope)
  const answer = first === STALE ? await compute({ ...scope, snapshot: undefined }) : first
  return answer === STALE ? undefined : answer
}

/**
 * Returns the same as `loadReportPage` plus `loadFilterToRelax`; undefined means that the caller must fall back to SQL.
 */
export async function getReportPageFromMemory(
  db: Db,
  memory: ReportCache,
  search: ReportSearch,
  initialScope: ReportSnapshotScope,
  files: ReportRowFileDetail,
): Promise<ReportPageResult | undefined> {
  return await retryIfStale(initialScope, (scope) => computePage(db, memory, search, scope, files))
}

async function computePage(
  db: Db,
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportSnapshotScope,
  files: ReportRowFileDetail,
): Promise<ReportPageResult | typeof STALE | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { query, snapshot } = prepared
  const { columns, tab, changes } = query
  const failed = await prepared.masks()
  const { passing } = failed
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  const rows = getRowsAtPositions(tab, passing)
  const page = { ordering: search.ordering, from: ((search.page ?? 1) - 1) * size, size }
  const picked = Array.from(getSortedRowsPage(rows, page, query), (row): SelectedReportRow => {
    const position = findRowPosition(tab, row)
    const changedLoad = tab.changedLoads[position]!
    return {
      projectId: decodeProjectKey(columns.keys[row]!),
      change: changes[position]!,
      words: tab.words[position]!,
      changedLoad,
    }
  })
  const reading = readReportPageRows(db, scope, snapshot.latest, { rows: picked, files })
  const [{ projects, matches, latest, board, ...pageData }, counts] = await Promise.all([
    reading,
    yieldToEventLoop().then(() => ({
      total: passing.length,
      total_budget_satang: String(sumOf(columns.money.budget, rows)),
      amounts_in_doubt: countBudgetsInDoubt(query, failed),
      since_visit: countSinceVisit(query, passing),
      ...countersOf(prepared, scope),
    })),
  ])
  const { deepMatches, fit } = query
  const rowsShown =
    deepMatches || fit
      ? pageData.rows.map((row) => ({
          ...row,
          deep: deepMatches?.hits.get(row.project_id) ?? null,
          fit: fit?.explain(row.project_id),
        }))
      : pageData.rows
  // The rows were read after the counts, so rows and counts agree only if nothing was written in between.
  const isSame = isSameReportSnapshotVersion({ projects, matches, latest, board }, snapshot)
  if (!isSame || !prepared.isCurrent() || pageData.rows.length !== picked.length) return STALE
  return {
    stored: { ...counts, ...pageData, rows: rowsShown, fit: fit?.evidence },
    filterToRelax: passing.length === 0 ? filterToRelax(failed) : undefined,
  }
}

function countersOf({ query, cachedTab }: PreparedReportQuery, { today }: ReportScope) {
  const { hidden, columns, tab } = query
  const out = countReportTabMatchesByStatus(cachedTab, columns, hidden, toPackedDay(today))
  return {
    all: tab.rows.length - hidden.length,
    new: cachedTab.counts.new - out.new,
    updated: cachedTab.counts.updated - out.updated,
    discussion_7d: cachedTab.counts.comment - out.comment,
    submission_7d: cachedTab.counts.closing - out.closing,
    hidden_by_user: hidden.length,
  }
}

/** Visits the few hundred doubtful budgets instead of up to a million matches. */
function countBudgetsInDoubt(
  { tab, columns: { budgetsInDoubt } }: InMemoryReportQuery,
  { failed, isOut }: FailedFilterConditions,
): number {
  let count = 0
  for (const row of budgetsInDoubt) {
    const position = findRowPosition(tab, row)
    if (position !== -1 && failed[position] === 0 && isOut[position] === 0) count += 1
  }
  return count
}

/**
 * Adds up amounts in floating point and moves the total to a bigint before it becomes inexact. Skips unknown amounts
 * (NaN).
 */
function sumOf(amounts: Float64Array, rows: Int32Array): bigint {
  let [total, partial] = [0n, 0]
  for (let at = 0; at < rows.length; at += 1) {
    const amount = amounts[rows[at]!]!
    if (Number.isNaN(amount)) continue
    if (partial > Number.MAX_SAFE_INTEGER - amount) {
      total += BigInt(partial)
      partial = 0
    }
    partial += amount
  }
  return total + BigInt(partial)
}

function countSinceVisit(query: InMemoryReportQuery, positions: Int32Array): number {
  if (!query.visit?.loads.length) return 0
  const changed = flagMatchesChangedSinceReportVisit(query)
  let count = 0
  for (let i = 0; i < positions.length; i += 1) count += changed[positions[i]!]!
  return count
}

function filterToRelax({ names, countMatches }: FailedFilterConditions): FilterToRelax | undefined {
  const totals = names.map((_, i) => countMatches([i + 1]))
  const total = Math.max(0, ...totals)
  return total === 0 ? undefined : { parameter: names[totals.indexOf(total)]!, total }
}

export async function getReportFacetsFromMemory(
  memory: ReportCache,
  search: ReportSearch,
  initialScope: ReportSnapshotScope,
): Promise<ReportFacetResult | undefined> {
  return await retryIfStale(initialScope, (scope) => computeFacets(memory, search, scope))
}

async function computeFacets(
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportSnapshotScope,
): Promise<ReportFacetResult | typeof STALE | undefined> {
  const prepared = await memory.prepare(search, scope, 'all')
  if (!prepared) return undefined
  const { query, snapshot } = prepared
  const failed = await prepared.masks()
  const counts = await countMatchFacets(query, failed, memory.filters)
  const marks = await countMarkFacets(query, failed, prepared.ending!, memory.filters)
  return prepared.isCurrent() ? { counts, marks: { marks, max_budget: snapshot.max_budget } } : STALE
}

/** Ids converted before yielding to the event loop: 10 to 15 ms of work. */
const IDS_PER_SLICE = 20_000

/** Returns the same result as `loadProjectIds`. Undefined means that the caller must fall back to SQL, as below. */
export async function getReportIdsFromMemory(
  db: Db,
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  limit: number,
): Promise<ReportIds | undefined> {
  const prepared = await memory.prepareAll(searches, scope)
  const lists = await mapPrepared(prepared, async ({ query, masks }) => {
    const { passing } = await masks()
    const rows = getRowsAtPositions(query.tab, passing)
    return { ids: await orderedIds(rows, query.search.ordering, query, limit), total: passing.length }
  })
  const [first] = prepared ?? []
  const load =
    lists &&
    first &&
    (await readColumnsAtReportSnapshot<Pick<ReportIds, 'load' | 'dataTime'>>(db, scope, first.snapshot, {
      name: 'report_listed',
      columns: LATEST_DATA_LOAD_COLUMNS_SQL,
    }))
  return load && { ...load, lists }
}

export async function countAgencyUnitsFromMemory(
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
  without: ReportFilterName,
): Promise<CountedAgencyUnit[] | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { columns, tab } = prepared.query
  const { department, departments, agencyUnits } = columns
  const { names, listPositions } = await prepared.masks()
  const counts = new Uint32Array(agencyUnits.byNumber.length)
  const failures = names.includes(without) ? [0, names.indexOf(without) + 1] : [0]
  for (const position of listPositions(failures)) counts[department[tab.rows[position]!]!]! += 1
  const counted: CountedAgencyUnit[] = []
  for (const [number, count] of counts.entries())
    if (count > 0)
      counted.push({ ...agencyUnits.byNumber[number]!, count, searchText: departments.index.textOf(number) })
  return prepared.isCurrent() ? counted : undefined
}

async function orderedIds(
  rows: Int32Array,
  ordering: string | undefined,
  query: InMemoryReportQuery,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  const count = Math.min(limit, rows.length)
  while (ids.length < count) {
    const size = Math.min(IDS_PER_SLICE, count - ids.length)
    for (const row of getSortedRowsPage(rows, { ordering, from: ids.length, size }, query))
      ids.push(decodeProjectKey(query.columns.keys[row]!))
    await yieldToEventLoop()
  }
  return ids
}

export async function countReportSearchResultsFromMemory(
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<ReportSearchCount[] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope), async (prepared) => {
    const { passing } = await prepared.masks()
    const { changes } = prepared.query
    let fresh = 0
    for (let i = 0; i < passing.length; i += 1) if (changes[passing[i]!] === 1) fresh += 1
    return { total: passing.length, new: fresh }
  })
}

export async function findPassingProjectsFromMemory(
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][] | undefined> {
  return await mapPrepared(await memory.prepareAll(searches, scope, { among: projectIds }), async (prepared) => {
    const { failed, isOut } = await prepared.masks()
    const { columns, tab } = prepared.query
    return projectIds.filter((id) => {
      const position = findProjectPosition(tab, columns, id)
      return position !== -1 && failed[position] === 0 && isOut[position] === 0
    })
  })
}

/** Returns the same as `loadAnnouncedProjects`. Undefined means that the caller must fall back to SQL. */
export async function findAnnouncedProjectsFromMemory(
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  { loads, limit }: AnnouncedProjectOptions,
): Promise<AnnouncedProjects | undefined> {
  const prepared = await memory.prepareAll(searches, scope)
  const columns = prepared?.[0]?.query.columns
  if (!columns) return undefined
  const { keys, kind, kinds } = columns
  const isOfLoads = new Set(loads)
  /** Per project row: 1 once a search has found the project. */
  const isFound = new Uint8Array(columns.size)
  const firstRows = new Set<number>()
  const addFirst = (rows: Int32Array) => {
    const page = { ordering: undefined, from: 0, size: limit }
    for (const row of getSortedRowsPage(rows, page, { columns, pursued: [] })) firstRows.add(row)
  }
  const bySearch = await mapPrepared(prepared, async ({ query, masks }) => {
    const { rows, firstLoads } = query.tab
    const { passing } = await masks()
    const announced = passing
      .filter((at) => isOfLoads.has(firstLoads[at]!) && kinds.isAwarded[kind[rows[at]!]!] === 0)
      .map((at) => rows[at]!)
    for (const row of announced) isFound[row] = 1
    addFirst(announced)
    return countByTab(announced, columns)
  })
  if (!bySearch) return undefined
  const together = Int32Array.from(findFlaggedIndexes(isFound))
  if (searches.length > 1) addFirst(together)
  const ids = Array.from(firstRows, (row) => decodeProjectKey(keys[row]!))
  return { ids, bySearch, together: countByTab(together, columns) }
}

function* findFlaggedIndexes(flags: Uint8Array): Generator<number> {
  for (let at = flags.indexOf(1); at !== -1; at = flags.indexOf(1, at + 1)) yield at
}

function countByTab(rows: Int32Array, { kind, kinds }: ProjectColumns): ReportTabCounts {
  let archived = 0
  for (const row of rows) archived += kinds.flags.is_archived[kind[row]!]!
  return { active: rows.length - archived, archived }
}

async function mapPrepared<T>(
  prepared: readonly PreparedReportQuery[] | undefined,
  compute: (prepared: PreparedReportQuery) => Promise<T>,
): Promise<T[] | undefined> {
  if (!prepared) return undefined
  const answers: T[] = []
  for (const preparedQuery of prepared) answers.push(await compute(preparedQuery))
  return prepared.every((preparedQuery) => preparedQuery.isCurrent()) ? answers : undefined
}
