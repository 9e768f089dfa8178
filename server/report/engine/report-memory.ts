import sql from 'sql-template-tag'
import { CLOSING_SOON_DAYS, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import {
  MAX_MORNING_QUEUE_SECTION_SIZE,
  MORNING_QUEUE_KINDS,
  type MorningFigures,
} from '#contract/report/morning-queue.ts'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportFilterName, type ReportSearch } from '#contract/report/report-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { addWorkingDays } from '#contract/thai/working-day.ts'
import type { CountedAgencyUnit } from '#server/catalogue/department/agency-unit.ts'
import {
  createLatestDataLoadPredicate,
  LATEST_DATA_LOAD_COLUMNS_SQL,
  LATEST_DATA_LOAD_ID_SQL,
} from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type {
  FilterToRelax,
  ReportEngine,
  ReportFacetResult,
  ReportIdList,
  ReportIdOptions,
  ReportIds,
  ReportPageResult,
  ReportRowFileDetail,
  ReportScope,
  StoredMorningQueue,
} from '#server/report/report-queries.ts'
import {
  countMarkFacets,
  countMatchFacets,
  type FailedFilterConditions,
  type InMemoryReportQuery,
} from './in-memory-report-query.ts'
import type { ProjectColumns } from './project-columns.ts'
import {
  type PreparedReportQuery,
  ReportCache,
  type ReportCacheOptions,
  type ReportCacheStats,
} from './report-cache.ts'
import {
  isSameReportSnapshotVersion,
  readColumnsAtReportSnapshot,
  readReportPageRows,
  type SelectedReportRow,
} from './report-snapshot.ts'
import {
  countReportTabMatchesByStatus,
  findProjectPosition,
  findProjectRow,
  findRowPosition,
  flagMatchesChangedSinceReportVisit,
  getNearDeadlineKindAtRow,
  getRowsAtPositions,
  getSortedRowsPage,
} from './report-tab.ts'

/**
 * Returns the same as `createSqlReportEngine`; undefined means that the caller must fall back to SQL, also if the data
 * changed during the computation. So do the functions below.
 */
async function findPage(
  db: Db,
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
  files: ReportRowFileDetail,
): Promise<ReportPageResult | undefined> {
  const prepared = await memory.prepare(search, scope)
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
  if (!isSame || !prepared.isCurrent() || pageData.rows.length !== picked.length) return undefined
  return {
    stored: { ...counts, ...pageData, rows: rowsShown, fit: fit?.evidence },
    filterToRelax: passing.length === 0 ? filterToRelax(failed) : undefined,
  }
}

function countersOf({ query, cachedTab }: PreparedReportQuery, { today }: ReportScope) {
  const { hidden, columns, tab } = query
  const out = countReportTabMatchesByStatus(cachedTab, columns, hidden, toDayNumber(today))
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

async function countFacets(
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
): Promise<ReportFacetResult | undefined> {
  const prepared = await memory.prepare(search, scope, { forFacets: true })
  if (!prepared) return undefined
  const { query, snapshot } = prepared
  const failed = await prepared.masks()
  const counts = await countMatchFacets(query, failed, memory.filters)
  const marks = await countMarkFacets(query, failed, prepared.ending!, memory.filters)
  return prepared.isCurrent() ? { counts, marks: { marks, max_budget: snapshot.max_budget } } : undefined
}

/** Ids converted before yielding to the event loop: 10 to 15 ms of work. */
const IDS_PER_SLICE = 20_000

async function listIds(
  db: Db,
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  options: ReportIdOptions,
): Promise<ReportIds | undefined> {
  const { among, announcedIn } = options
  const prepared = await memory.prepareAll(searches, scope, { among })
  const [first] = prepared ?? []
  if (!prepared || !first) return undefined
  const announcingLoads = announcedIn && new Set(announcedIn)
  const lists: ReportIdList[] = []
  /** The change number of each announced project that a search finds. */
  const changeByRow = new Uint8Array(announcingLoads ? first.query.columns.size : 0)
  for (const { query, masks } of prepared) {
    const { passing } = await masks()
    const { tab, changes, columns } = query
    const { kind, kinds } = columns
    const isAnnounced = (at: number) =>
      announcingLoads!.has(tab.firstLoads[at]!) && kinds.isAwarded[kind[tab.rows[at]!]!] === 0
    const positions = announcingLoads ? passing.filter(isAnnounced) : passing
    if (announcingLoads) for (const at of positions) changeByRow[tab.rows[at]!] = changes[at]!
    const rows = getRowsAtPositions(tab, positions)
    let freshCount = 0
    for (const at of positions) if (changes[at] === 1) freshCount += 1
    lists.push(await toIdList(rows, freshCount, query, options))
  }
  const together =
    announcingLoads &&
    (await toIdList(
      Int32Array.from(findChangedRows(changeByRow)),
      changeByRow.reduce((count, change) => (change === 1 ? count + 1 : count), 0),
      first.query,
      options,
    ))
  const load = await readColumnsAtReportSnapshot<Pick<ReportIds, 'load' | 'dataTime'>>(db, scope, first.snapshot, {
    name: 'report_listed',
    columns: LATEST_DATA_LOAD_COLUMNS_SQL,
  })
  if (!load || !prepared.every((preparedQuery) => preparedQuery.isCurrent())) return undefined
  return { ...load, lists, ...(together && { together }) }
}

function* findChangedRows(changeByRow: Uint8Array): Generator<number> {
  for (const [row, change] of changeByRow.entries()) if (change > 0) yield row
}

async function toIdList(
  rows: Int32Array,
  freshCount: number,
  query: InMemoryReportQuery,
  { limit, among, announcedIn }: ReportIdOptions,
): Promise<ReportIdList> {
  const { kind, kinds } = query.columns
  let archived = 0
  for (const row of rows) archived += kinds.flags.is_archived[kind[row]!]!
  return {
    ids: among
      ? idsInGivenOrder(among, rows, query)
      : await orderedIds(rows, query, { limit, isNewestFirst: announcedIn !== undefined }),
    total: rows.length,
    new: freshCount,
    archived,
  }
}

function idsInGivenOrder(ids: readonly string[], rows: Int32Array, { columns }: InMemoryReportQuery): string[] {
  const listed = new Set(rows)
  return ids.filter((id) => listed.has(findProjectRow(columns, id) ?? -1))
}

async function countAgencyUnits(
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
  without: ReportFilterName,
): Promise<CountedAgencyUnit[] | undefined> {
  const prepared = await memory.prepare(search, scope)
  if (!prepared) return undefined
  const { columns, tab } = prepared.query
  const { department, departments, agencyUnits } = columns
  const { names, listPositions } = await prepared.masks()
  const counts = new Uint32Array(agencyUnits.length)
  const failures = names.includes(without) ? [0, names.indexOf(without) + 1] : [0]
  for (const position of listPositions(failures)) counts[department[tab.rows[position]!]!]! += 1
  const counted: CountedAgencyUnit[] = []
  for (const [number, count] of counts.entries())
    if (count > 0) counted.push({ ...agencyUnits[number]!, count, searchText: departments.index.textOf(number) })
  return prepared.isCurrent() ? counted : undefined
}

async function orderedIds(
  rows: Int32Array,
  query: InMemoryReportQuery,
  { limit, isNewestFirst }: { readonly limit: number; readonly isNewestFirst: boolean },
): Promise<string[]> {
  const ids: string[] = []
  const count = Math.min(limit, rows.length)
  const ordering = isNewestFirst ? undefined : query.search.ordering
  const order = isNewestFirst ? { columns: query.columns, pursued: [] } : query
  while (ids.length < count) {
    const size = Math.min(IDS_PER_SLICE, count - ids.length)
    for (const row of getSortedRowsPage(rows, { ordering, from: ids.length, size }, order))
      ids.push(decodeProjectKey(query.columns.keys[row]!))
    await yieldToEventLoop()
  }
  return ids
}

type SelectedProjects = {
  /** All projects in memory. The same object until rows are renumbered; a load may append rows. */
  readonly projects: Pick<ProjectColumns, 'size' | 'keys' | 'rowOf'>
  /** Returns 1 for the row of each matching project, and their number. */
  flagRows(): Promise<{ readonly passing: Uint8Array; readonly count: number }>
  isCurrent(): boolean
}

type ReportMemoryStats = ReportCacheStats & {
  /** Number of questions that memory answered, and of those that it left to SQL. */
  readonly answered: { readonly memory: number; readonly sql: number }
}

/**
 * The report in typed arrays of this process. Answers only if it has the database's current snapshot, so every answer
 * equals that of SQL at that moment. This file is the only one that others may import of this folder.
 */
export type ReportMemory = {
  /** An undefined answer means that SQL must answer. */
  readonly answers: ReportEngine<undefined>
  /** Returns the rows of all projects that a search finds, for counts over other facts of the same projects. */
  rows(search: ReportSearch, scope: ReportScope & { isMarket: boolean }): Promise<SelectedProjects | undefined>
  /**
   * Loads the projects and the matches of these organisations if they are stale. Evicts matches that were not queried
   * for longest or, unless `canEvict`, loads only what still fits.
   */
  load(organisationIds?: readonly number[], options?: { readonly canEvict: boolean }): Promise<void>
  stats(): ReportMemoryStats
  close(): Promise<void>
}

export function createReportMemory(db: Db, options: ReportCacheOptions): ReportMemory {
  const cache = new ReportCache(db, options)
  const answered = { memory: 0, sql: 0 }
  const counted =
    <Input extends unknown[], Answer>(answer: (...input: Input) => Promise<Answer | undefined>) =>
    async (...input: Input): Promise<Answer | undefined> => {
      const result = await answer(...input)
      answered[result === undefined ? 'sql' : 'memory'] += 1
      return result
    }
  return {
    answers: {
      page: counted((search, scope, files = 'listed') => findPage(db, cache, search, scope, files)),
      facets: counted((search, scope) => countFacets(cache, search, scope)),
      agencies: counted((search, scope, without) => countAgencyUnits(cache, search, scope, without)),
      ids: counted((searches, scope, idOptions) => listIds(db, cache, searches, scope, idOptions)),
      queue: counted((search, scope) => findMorningQueue(db, cache, search, scope)),
      figures: counted((searches, scope) => countMorningFigures(db, cache, searches, scope)),
    },
    rows: (search, scope) => selectProjects(cache, search, scope),
    load: (organisationIds, loadOptions) => cache.load(organisationIds, loadOptions),
    stats: () => ({ ...cache.stats(), answered: { ...answered } }),
    close: () => cache.close(),
  }
}

/** Selects the projects of both tabs; with `isMarket` all projects, archived ones only if the search includes them. */
async function selectProjects(
  cache: ReportCache,
  search: ReportSearch,
  { isMarket, ...scope }: ReportScope & { readonly isMarket: boolean },
): Promise<SelectedProjects | undefined> {
  const prepared = isMarket
    ? await cache.prepareMarket(search, scope)
    : await cache.prepareAll(splitSearchByReportTab(search), scope)
  if (!prepared) return undefined
  const projects = prepared[0]!.query.columns
  const requiredArchived = isMarket && search.is_archived ? 1 : undefined
  return {
    projects,
    flagRows: () => flagRows(prepared, projects, requiredArchived),
    isCurrent: () => prepared.every((preparedQuery) => preparedQuery.isCurrent()),
  }
}

async function flagRows(
  prepared: readonly PreparedReportQuery[],
  { size, kind, kinds }: ProjectColumns,
  requiredArchived: number | undefined,
) {
  const passing = new Uint8Array(size)
  let count = 0
  for (const { query, masks } of prepared) {
    const { passing: positions } = await masks()
    for (const position of positions) {
      const row = query.tab.rows[position]!
      if (requiredArchived !== undefined && kinds.flags.is_archived[kind[row]!] !== requiredArchived) continue
      passing[row] = 1
      count += 1
    }
  }
  return { passing, count }
}

/** The user's latest decision about a project; `day` is in days since 2000-01-01. */
type Decision = { readonly load: number; readonly day: number }

type QueueInputs = {
  readonly load_id: number | null
  readonly data_time: string | null
  readonly decisions: readonly (readonly [id: string, load: number, day: number])[]
}

const queueInputsSql = ({ userId }: ReportScope) => sql`
  ${LATEST_DATA_LOAD_ID_SQL} as load_id, (select l.published_at from loads l where l.id = ${LATEST_DATA_LOAD_ID_SQL}) as data_time, (
    select coalesce(json_agg(json_build_array(d.project_id, d.load_id, d.decided_on - date '2000-01-01')), '[]') from (
      select q.project_id, max(q.load_id) as load_id, max(q.decided_on) as decided_on
      from queue_decisions q where q.user_id = ${userId}::int group by q.project_id
    ) d
  ) as decisions`

/** Returns the same as `loadMorningQueue`; undefined means that the caller must fall back to SQL. */
async function findMorningQueue(
  db: Db,
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
): Promise<StoredMorningQueue | undefined> {
  const prepared = await memory.prepare(search, scope)
  if (!prepared) return undefined
  const { query, snapshot } = prepared
  const { failed } = await prepared.masks()
  const inputs = await readColumnsAtReportSnapshot<QueueInputs>(db, scope, snapshot, {
    name: 'report_queue',
    columns: queueInputsSql(scope),
  })
  if (!inputs || !prepared.isCurrent()) return undefined
  const { sections, near } = sectionsOf(query, {
    failed,
    visited: getVisitedLoads(memory, query),
    decisions: decisionsByPosition(query, inputs),
    latest: snapshot.latest,
  })
  const picked = (isDecided: boolean) => sections.map((section, i) => firstIds(section[Number(isDecided)]!, i, query))
  return {
    load_id: inputs.load_id,
    data_time: inputs.data_time,
    totals: sections.map((section) => section[0].length + section[1].length),
    decided: picked(true),
    undecided: picked(false),
    near,
  }
}

/** Returns the same as `loadMorningFigures`; undefined means that the caller must fall back to SQL. */
async function countMorningFigures(
  db: Db,
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<MorningFigures | undefined> {
  const prepared = await memory.prepareAll(searches, scope)
  const [first] = prepared ?? []
  if (!prepared || !first) return undefined
  const inputs = await readColumnsAtReportSnapshot<QueueInputs>(db, scope, first.snapshot, {
    name: 'report_queue',
    columns: queueInputsSql(scope),
  })
  if (!inputs) return undefined
  const rowsByKind = MORNING_QUEUE_KINDS.map(() => new Set<number>())
  const [newRows, updatedRows] = rowsByKind as [Set<number>, Set<number>]
  for (const { query, masks, snapshot } of prepared) {
    const { failed } = await masks()
    const decisions = decisionsByPosition(query, inputs)
    for (const project of findQueueProjects(query, {
      failed,
      visited: getVisitedLoads(memory, query),
      decisions,
      latest: snapshot.latest,
    })) {
      const row = query.tab.rows[project.at]!
      if (project.isNew) newRows.add(row)
      else if (project.isUpdated) updatedRows.add(row)
      if (project.nearAt !== -1 && !project.isHidden) rowsByKind[2 + project.nearAt]!.add(row)
    }
  }
  if (!prepared.every((preparedQuery) => preparedQuery.isCurrent())) return undefined
  // One search may count changes since the last visit and another those of the latest load.
  for (const row of newRows) updatedRows.delete(row)
  return Object.fromEntries(MORNING_QUEUE_KINDS.map((kind, i) => [kind, rowsByKind[i]!.size])) as MorningFigures
}

function getVisitedLoads(memory: ReportCache, { search, visit }: InMemoryReportQuery): ReadonlySet<number> | undefined {
  const countsSinceVisit = memory.filters.getActiveFilters(search).some(({ filter }) => filter.countsSinceVisit)
  return countsSinceVisit && visit ? new Set(visit.loads) : undefined
}

function decisionsByPosition(
  { columns, tab }: InMemoryReportQuery,
  { decisions }: QueueInputs,
): ReadonlyMap<number, Decision> {
  const byPosition = new Map<number, Decision>()
  for (const [id, load, day] of decisions) {
    const position = findProjectPosition(tab, columns, id)
    if (position !== -1) byPosition.set(position, { load, day })
  }
  return byPosition
}

type SectionPositions = readonly [undecided: number[], decided: number[]]

type SectionInputs = {
  readonly failed: Uint8Array
  /** The loads that new and updated refer to, if not the latest. */
  readonly visited: ReadonlySet<number> | undefined
  readonly decisions: ReadonlyMap<number, Decision>
  readonly latest: string | null
}

function sectionsOf(
  query: InMemoryReportQuery,
  inputs: SectionInputs,
): { readonly sections: SectionPositions[]; readonly near: number[] } {
  const isLatest = createLatestDataLoadPredicate(inputs.latest)
  const isDecidedWhileNear = decidedWhileNearRule(query)
  const sections = MORNING_QUEUE_KINDS.map((): SectionPositions => [[], []])
  const near = NEAR_DEADLINE_KINDS.map(() => 0)
  for (const { at, isNew, isUpdated, due, nearAt, isHidden, decision } of findQueueProjects(query, inputs)) {
    if (nearAt !== -1 && !isHidden) near[nearAt]! += 1
    const isDecided =
      decision !== undefined &&
      (isNew
        ? decision.load >= query.tab.firstLoads[at]!
        : isUpdated
          ? decision.load >= query.tab.changedLoads[at]!
          : isDecidedWhileNear(due!, decision.day))
    // Decided in an earlier load while the deadline was already near, so not in this morning's queue.
    if (due !== undefined && isDecided && !isLatest(decision!.load)) continue
    sections[isNew ? 0 : isUpdated ? 1 : 2 + nearAt]![Number(isDecided) as 0 | 1].push(at)
  }
  return { sections, near }
}

type QueueProject = {
  readonly at: number
  readonly isNew: boolean
  readonly isUpdated: boolean
  /** Day of the near deadline of a project that is neither new nor updated. */
  readonly due: number | undefined
  /** Index in `NEAR_DEADLINE_KINDS`, or -1. */
  readonly nearAt: number
  readonly isHidden: boolean
  readonly decision: Decision | undefined
}

/**
 * Yields the projects of a queue before decisions apply, and those that the user hid while working through it, because
 * the progress counts them.
 */
function* findQueueProjects(
  query: InMemoryReportQuery,
  { failed, visited, decisions, latest }: SectionInputs,
): Generator<QueueProject> {
  const { columns, tab, hidden } = query
  const { kind, kinds } = columns
  const today = toDayNumber(query.today)
  const isLatest = createLatestDataLoadPredicate(latest)
  const inLoads = (load: number) => (visited ? visited.has(load) : isLatest(load))
  const hiddenFlags = new Uint8Array(tab.rows.length)
  for (const position of hidden) hiddenFlags[position] = 1
  for (let at = 0; at < failed.length; at += 1) {
    if (failed[at] !== 0) continue
    const row = tab.rows[at]!
    const [first, changed] = [tab.firstLoads[at]!, tab.changedLoads[at]!]
    const isNew = inLoads(first) && kinds.isAwarded[kind[row]!] === 0
    const isUpdated = !isNew && changed !== first && inLoads(changed)
    const dueKind = getNearDeadlineKindAtRow(columns, row, today)
    if (!isNew && !isUpdated && !dueKind) continue
    const decision = decisions.get(at)
    const isHidden = hiddenFlags[at] === 1
    if (isHidden && !(decision && isLatest(decision.load))) continue
    const due = dueKind && !isNew && !isUpdated ? dueDay(columns, row, dueKind) : undefined
    const nearAt = dueKind ? NEAR_DEADLINE_KINDS.indexOf(dueKind) : -1
    yield { at, isNew, isUpdated, due, nearAt, isHidden, decision }
  }
}

function dueDay({ days }: ProjectColumns, row: number, kind: NearDeadlineKind): number {
  return (kind === 'closing' ? days.submission_end_date : days.draft_discussion_end_date)[row]!
}

/** Returns a test of decisions by the same rule as `decidedWhileNear` of SQL. */
function decidedWhileNearRule({ today: isoToday }: InMemoryReportQuery): (due: number, decidedOn: number) => boolean {
  const today = toDayNumber(isoToday)
  const reminders = Array.from({ length: CLOSING_SOON_DAYS + 1 }, (_, days) =>
    toDayNumber(addWorkingDays(addDays(isoToday, days), -1)),
  )
  return (due, decidedOn) => {
    const reminder = reminders[due - today]!
    return decidedOn >= due - CLOSING_SOON_DAYS && (today < reminder || decidedOn >= reminder)
  }
}

function firstIds(positions: readonly number[], section: number, query: InMemoryReportQuery): string[] {
  const { columns, tab, search } = query
  const rows = positions.map((position) => tab.rows[position]!)
  const kind = NEAR_DEADLINE_KINDS.find((due) => due === MORNING_QUEUE_KINDS[section])
  const parts = kind ? byDueDay(rows, query, kind) : [rows]
  const ids: string[] = []
  for (const part of parts) {
    if (ids.length === MAX_MORNING_QUEUE_SECTION_SIZE) break
    const page = { ordering: search.ordering, from: 0, size: MAX_MORNING_QUEUE_SECTION_SIZE - ids.length }
    for (const row of getSortedRowsPage(Int32Array.from(part), page, query))
      ids.push(decodeProjectKey(columns.keys[row]!))
  }
  return ids
}

function byDueDay(rows: readonly number[], { columns }: InMemoryReportQuery, kind: NearDeadlineKind): number[][] {
  const days = Map.groupBy(rows, (row) => dueDay(columns, row, kind))
  return [...days].sort(([a], [b]) => a - b).map(([, dayRows]) => dayRows)
}
