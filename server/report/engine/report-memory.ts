import sql from 'sql-template-tag'
import { CLOSING_SOON_DAYS, NEAR_DEADLINE_KINDS } from '#contract/catalogue/bid-state.ts'
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
import { findBestScore } from '#server/report/deep/semantic-search-hits.ts'
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
import { countMarkFacets, countMatchFacets, filterMatches, type InMemoryReportQuery } from './in-memory-report-query.ts'
import { byValue, createRowOrder, getSortedRowsPage, type PageRequest } from './page-order.ts'
import type { ProjectColumns } from './project-columns.ts'
import { type PreparedReport, ReportCache, type ReportCacheOptions, type ReportCacheStats } from './report-cache.ts'
import { isSameReportSnapshotVersion, readReportPageRows, type SelectedReportRow } from './report-snapshot.ts'
import {
  countMatchesByStatus,
  findInAscending,
  findProjectPosition,
  findProjectRow,
  findRowPosition,
  flagChangedInLoads,
  getNearDeadlineKindAtRow,
  getRowsAtPositions,
} from './report-tab.ts'

/** Returns undefined if the data changed during the computation. */
async function loadPage(
  db: Db,
  { queries, snapshot }: PreparedReport,
  scope: ReportScope,
  files: ReportRowFileDetail,
): Promise<ReportPageResult | undefined> {
  const query = queries[0]!
  const { search, columns, tab, semanticHits, fit } = query
  const { passing } = await filterMatches(query)
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  const rows = getRowsAtPositions(tab, passing)
  const order = createRowOrder(search.ordering, query)
  const picked = Array.from(
    getSortedRowsPage(rows, { order, from: ((search.page ?? 1) - 1) * size, size }),
    (row): SelectedReportRow => {
      const position = findRowPosition(tab, row)
      return {
        projectId: decodeProjectKey(columns.keys[row]!),
        change: tab.changes[position]!,
        words: tab.words[position]!,
        changedLoad: tab.changedLoads[position]!,
      }
    },
  )
  const reading = readReportPageRows(db, scope, snapshot.latest, { rows: picked, files })
  const [{ projects, matches, latest, board, ...pageData }, counts] = await Promise.all([
    reading,
    yieldToEventLoop().then(() => ({
      total: passing.length,
      total_budget_satang: String(sumOf(columns.money.budget, rows)),
      amounts_in_doubt: countBudgetsInDoubt(query, passing),
      since_visit: countSinceVisit(query, passing),
      ...countersOf(query),
    })),
  ])
  // The rows were read after the counts, so rows and counts agree only if nothing was written in between.
  const isSame = isSameReportSnapshotVersion({ projects, matches, latest, board }, snapshot)
  if (!isSame || pageData.rows.length !== picked.length) return undefined
  const rowsShown = pageData.rows.map((row) => ({
    ...row,
    deep: semanticHits ? findBestScore(semanticHits, row.project_id) : null,
    fit: fit?.explain(row.project_id),
  }))
  return {
    stored: { ...counts, ...pageData, rows: semanticHits || fit ? rowsShown : pageData.rows, fit: fit?.evidence },
    filterToRelax: passing.length === 0 ? await findFilterToRelax(query) : undefined,
  }
}

function countersOf({ hidden, tab }: InMemoryReportQuery) {
  const { counts } = tab
  const out = countMatchesByStatus(tab, hidden)
  return {
    all: tab.rows.length - hidden.length,
    new: counts.new - out.new,
    updated: counts.updated - out.updated,
    discussion_7d: counts.comment - out.comment,
    submission_7d: counts.closing - out.closing,
    hidden_by_user: hidden.length,
  }
}

/** Visits the few hundred doubtful budgets instead of up to a million matches. */
function countBudgetsInDoubt({ tab, columns: { budgetsInDoubt } }: InMemoryReportQuery, passing: Int32Array): number {
  let count = 0
  for (const row of budgetsInDoubt) {
    const position = findRowPosition(tab, row)
    if (position !== -1 && findInAscending(passing, position) !== -1) count += 1
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

function countSinceVisit({ tab, visit }: InMemoryReportQuery, positions: Int32Array): number {
  if (!visit?.loads.length) return 0
  const flags = flagChangedInLoads(tab, visit.loads)
  let count = 0
  for (let i = 0; i < positions.length; i += 1) count += flags[positions[i]!]!
  return count
}

async function findFilterToRelax(query: InMemoryReportQuery): Promise<FilterToRelax | undefined> {
  const { names, failing } = await filterMatches(query, { withFailing: true })
  const totals = failing.map(({ length }) => length)
  const total = Math.max(0, ...totals)
  return total === 0 ? undefined : { parameter: names[totals.indexOf(total)]!, total }
}

async function countFacets({ queries, ending, snapshot }: PreparedReport): Promise<ReportFacetResult> {
  const query = queries[0]!
  const filtered = await filterMatches(query, { withFailing: true })
  const counts = countMatchFacets(query, filtered)
  const marks = await countMarkFacets(query, filtered, ending!)
  return { counts, marks: { marks, max_budget: snapshot.max_budget } }
}

type LatestLoad = Pick<ReportIds, 'load' | 'dataTime'>
const LATEST_LOAD = { name: 'report_listed', columns: LATEST_DATA_LOAD_COLUMNS_SQL }

/** Ids converted before yielding to the event loop: 10 to 15 ms of work. */
const IDS_PER_SLICE = 20_000

async function listIds(
  { queries, snapshot: { load, dataTime } }: PreparedReport<LatestLoad>,
  options: ReportIdOptions,
): Promise<ReportIds> {
  const announcingLoads = options.announcedIn && new Set(options.announcedIn)
  const lists: ReportIdList[] = []
  const first = queries[0]!
  /** The change number of each announced project that a search finds. */
  const changeByRow = new Uint8Array(announcingLoads ? first.columns.size : 0)
  for (const query of queries) {
    const { passing } = await filterMatches(query)
    const { tab, changes, columns } = query
    const { kind, kinds } = columns
    const isAnnounced = (at: number) =>
      announcingLoads!.has(tab.firstLoads[at]!) && kinds.isAwarded[kind[tab.rows[at]!]!] === 0
    const positions = announcingLoads ? passing.filter(isAnnounced) : passing
    if (announcingLoads) for (const at of positions) changeByRow[tab.rows[at]!] = changes[at]!
    let freshCount = 0
    for (const at of positions) if (changes[at] === 1) freshCount += 1
    lists.push(await toIdList(getRowsAtPositions(tab, positions), freshCount, query, options))
  }
  if (!announcingLoads) return { load, dataTime, lists }
  const freshCount = changeByRow.reduce((count, change) => (change === 1 ? count + 1 : count), 0)
  const rows = new Int32Array(changeByRow.length).map((_, row) => row).filter((row) => changeByRow[row]! > 0)
  return { load, dataTime, lists, together: await toIdList(rows, freshCount, first, options) }
}

async function toIdList(
  rows: Int32Array,
  freshCount: number,
  query: InMemoryReportQuery,
  { limit, among, announcedIn }: ReportIdOptions,
): Promise<ReportIdList> {
  const { columns, search } = query
  const { kind, kinds } = columns
  let archived = 0
  for (const row of rows) archived += kinds.flags.is_archived[kind[row]!]!
  const counts = { total: rows.length, new: freshCount, archived }
  if (among) {
    const listed = new Set(rows)
    return { ids: among.filter((id) => listed.has(findProjectRow(columns, id) ?? -1)), ...counts }
  }
  const order = announcedIn
    ? createRowOrder(undefined, { columns, pursued: [] })
    : createRowOrder(search.ordering, query)
  const ids: string[] = []
  const count = Math.min(limit, rows.length)
  while (ids.length < count) {
    const size = Math.min(IDS_PER_SLICE, count - ids.length)
    ids.push(...listSortedIds(rows, { order, from: ids.length, size }, columns))
    await yieldToEventLoop()
  }
  return { ids, ...counts }
}

const listSortedIds = (rows: Int32Array, page: PageRequest, { keys }: ProjectColumns): string[] =>
  Array.from(getSortedRowsPage(rows, page), (row) => decodeProjectKey(keys[row]!))

async function countAgencyUnits({ queries }: PreparedReport, without: ReportFilterName): Promise<CountedAgencyUnit[]> {
  const { columns, tab } = queries[0]!
  const { department, departments, agencyUnits } = columns
  const { names, passing, failing } = await filterMatches(queries[0]!, { withFailing: true })
  const counts = new Uint32Array(agencyUnits.length)
  for (const positions of [passing, failing[names.indexOf(without)] ?? []])
    for (const position of positions) counts[department[tab.rows[position]!]!]! += 1
  const counted: CountedAgencyUnit[] = []
  for (const [number, count] of counts.entries())
    if (count > 0) counted.push({ ...agencyUnits[number]!, count, searchText: departments.index.textOf(number) })
  return counted
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
  async function answer<Answer, Extra extends object = object>(
    searches: readonly ReportSearch[],
    scope: ReportScope,
    compute: (prepared: PreparedReport<Extra>) => Promise<Answer | undefined>,
    prepareOptions?: Parameters<ReportCache['prepare']>[2],
  ): Promise<Answer | undefined> {
    const prepared = await cache.prepare<Extra>(searches, scope, prepareOptions)
    const result = prepared && (await compute(prepared))
    const isAnswered = result !== undefined && prepared?.isCurrent() === true
    answered[isAnswered ? 'memory' : 'sql'] += 1
    return isAnswered ? result : undefined
  }
  return {
    answers: {
      page: (search, scope, files = 'listed') =>
        answer([search], scope, (prepared) => loadPage(db, prepared, scope, files)),
      facets: (search, scope) => answer([search], scope, countFacets, { forFacets: true }),
      agencies: (search, scope, without) => answer([search], scope, (prepared) => countAgencyUnits(prepared, without)),
      ids: (searches, scope, idOptions) =>
        answer(searches, scope, (prepared: PreparedReport<LatestLoad>) => listIds(prepared, idOptions), {
          among: idOptions.among,
          extra: LATEST_LOAD,
        }),
      queue: (search, scope) => answer([search], scope, findMorningQueue, { extra: toQueueColumns(scope) }),
      figures: (searches, scope) => answer(searches, scope, countMorningFigures, { extra: toQueueColumns(scope) }),
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
    : await cache.prepare(splitSearchByReportTab(search), scope)
  if (!prepared) return undefined
  const { queries, isCurrent } = prepared
  const { columns } = queries[0]!
  const requiredArchived = isMarket && search.is_archived ? 1 : undefined
  const flagRows = async () => {
    const { size, kind, kinds } = columns
    const passing = new Uint8Array(size)
    let count = 0
    for (const query of queries) {
      const { passing: positions } = await filterMatches(query)
      for (const position of positions) {
        const row = query.tab.rows[position]!
        if (requiredArchived !== undefined && kinds.flags.is_archived[kind[row]!] !== requiredArchived) continue
        passing[row] = 1
        count += 1
      }
    }
    return { passing, count }
  }
  return { projects: columns, flagRows, isCurrent }
}

/** The user's latest decision about a project; `day` is in days since 2000-01-01. */
type Decision = { readonly load: number; readonly day: number }

type QueueInputs = {
  readonly load_id: number | null
  readonly data_time: string | null
  readonly decisions: readonly (readonly [id: string, load: number, day: number])[]
}

const toQueueColumns = ({ userId }: ReportScope) => ({
  name: 'report_queue',
  columns: sql`
  ${LATEST_DATA_LOAD_ID_SQL} as load_id, (select l.published_at from loads l where l.id = ${LATEST_DATA_LOAD_ID_SQL}) as data_time, (
    select coalesce(json_agg(json_build_array(d.project_id, d.load_id, d.decided_on - date '2000-01-01')), '[]') from (
      select q.project_id, max(q.load_id) as load_id, max(q.decided_on) as decided_on
      from queue_decisions q where q.user_id = ${userId}::int group by q.project_id
    ) d
  ) as decisions`,
})

async function findMorningQueue({ queries, snapshot }: PreparedReport<QueueInputs>): Promise<StoredMorningQueue> {
  const query = queries[0]!
  const { tab, columns, search } = query
  const isLatest = createLatestDataLoadPredicate(snapshot.latest)
  const isDecidedWhileNear = decidedWhileNearRule(query)
  const sections = MORNING_QUEUE_KINDS.map(
    (): Readonly<Record<Decidedness, number[]>> => ({ decided: [], undecided: [] }),
  )
  const near = NEAR_DEADLINE_KINDS.map(() => 0)
  const { evenHidden } = await filterMatches(query)
  for (const { at, section, nearAt, decision } of findQueueProjects(query, evenHidden.passing, snapshot)) {
    const row = tab.rows[at]!
    if (nearAt !== -1) near[nearAt]! += 1
    const due = dueDaysOf(columns, section)?.[row]
    const decidedSince = section === 0 ? tab.firstLoads[at]! : tab.changedLoads[at]!
    const isDecided =
      decision !== undefined &&
      (due === undefined ? decision.load >= decidedSince : isDecidedWhileNear(due, decision.day))
    // Decided in an earlier load while the deadline was already near, so not in this morning's queue.
    if (due !== undefined && isDecided && !isLatest(decision.load)) continue
    sections[section]![isDecided ? 'decided' : 'undecided'].push(row)
  }
  const order = createRowOrder(search.ordering, query)
  const firstIds = (which: Decidedness) =>
    sections.map(({ [which]: rows }, section) => {
      const dueDays = dueDaysOf(columns, section)
      const page = {
        order: dueDays ? byValue(dueDays, false, order) : order,
        from: 0,
        size: MAX_MORNING_QUEUE_SECTION_SIZE,
      }
      return listSortedIds(Int32Array.from(rows), page, columns)
    })
  return {
    load_id: snapshot.load_id,
    data_time: snapshot.data_time,
    totals: sections.map(({ decided, undecided }) => decided.length + undecided.length),
    decided: firstIds('decided'),
    undecided: firstIds('undecided'),
    near,
  }
}

async function countMorningFigures({ queries, snapshot }: PreparedReport<QueueInputs>): Promise<MorningFigures> {
  const rowsByKind = MORNING_QUEUE_KINDS.map(() => new Set<number>())
  const [newRows, updatedRows] = rowsByKind as [Set<number>, Set<number>]
  for (const query of queries) {
    const { evenHidden } = await filterMatches(query)
    for (const { at, section, nearAt } of findQueueProjects(query, evenHidden.passing, snapshot)) {
      const row = query.tab.rows[at]!
      if (section < 2) rowsByKind[section]!.add(row)
      if (nearAt !== -1) rowsByKind[2 + nearAt]!.add(row)
    }
  }
  // One search may count changes since the last visit and another those of the latest load.
  for (const row of newRows) updatedRows.delete(row)
  return Object.fromEntries(MORNING_QUEUE_KINDS.map((kind, i) => [kind, rowsByKind[i]!.size])) as MorningFigures
}

type Decidedness = 'decided' | 'undecided'

type QueueProject = {
  readonly at: number
  /** Index in `MORNING_QUEUE_KINDS`: new, updated, or the near deadlines of the other projects. */
  readonly section: number
  /** Index in `NEAR_DEADLINE_KINDS` of the deadline of a visible project, or -1. */
  readonly nearAt: number
  readonly decision: Decision | undefined
}

/**
 * Yields the projects of a queue before decisions apply, and those that the user hid while working through it, because
 * the progress counts them.
 */
function* findQueueProjects(
  { search, filters, visit, columns, tab, hidden }: InMemoryReportQuery,
  passing: Int32Array,
  { decisions, latest }: QueueInputs & { readonly latest: string | null },
): Generator<QueueProject> {
  const { kind, kinds } = columns
  const isLatest = createLatestDataLoadPredicate(latest)
  const countsSinceVisit = filters.getActiveFilters(search).some(({ filter }) => filter.countsSinceVisit)
  const visited = countsSinceVisit && visit ? new Set(visit.loads) : undefined
  const inLoads = (load: number) => (visited ? visited.has(load) : isLatest(load))
  const decisionAt = new Map<number, Decision>()
  for (const [id, load, day] of decisions) decisionAt.set(findProjectPosition(tab, id), { load, day })
  const hiddenFlags = new Uint8Array(tab.rows.length)
  for (const position of hidden) hiddenFlags[position] = 1
  for (const at of passing) {
    const row = tab.rows[at]!
    const [first, changed] = [tab.firstLoads[at]!, tab.changedLoads[at]!]
    const isNew = inLoads(first) && kinds.isAwarded[kind[row]!] === 0
    const isUpdated = !isNew && changed !== first && inLoads(changed)
    const dueKind = getNearDeadlineKindAtRow(columns, row, tab.today)
    if (!isNew && !isUpdated && !dueKind) continue
    const decision = decisionAt.get(at)
    const isHidden = hiddenFlags[at] === 1
    if (isHidden && !(decision && isLatest(decision.load))) continue
    const dueAt = dueKind ? NEAR_DEADLINE_KINDS.indexOf(dueKind) : -1
    yield { at, section: isNew ? 0 : isUpdated ? 1 : 2 + dueAt, nearAt: isHidden ? -1 : dueAt, decision }
  }
}

/** Returns the days by which a section of near deadlines is ordered; undefined for new and updated projects. */
function dueDaysOf({ days }: ProjectColumns, section: number): Int32Array | undefined {
  const kind = NEAR_DEADLINE_KINDS[section - 2]
  if (!kind) return undefined
  return kind === 'closing' ? days.submission_end_date : days.draft_discussion_end_date
}

/** Returns a test of decisions by the same rule as `decidedWhileNear` of SQL. */
function decidedWhileNearRule({
  today: isoToday,
  tab: { today },
}: InMemoryReportQuery): (due: number, decidedOn: number) => boolean {
  const reminders = Array.from({ length: CLOSING_SOON_DAYS + 1 }, (_, days) =>
    toDayNumber(addWorkingDays(addDays(isoToday, days), -1)),
  )
  return (due, decidedOn) => {
    const reminder = reminders[due - today]!
    return decidedOn >= due - CLOSING_SOON_DAYS && (today < reminder || decidedOn >= reminder)
  }
}
