import { BID_STATES, type BidState, CLOSING_SOON_DAYS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { type OtherReportSortField, REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { CONSTRUCTION_METHOD_TYPES } from '#contract/report/eligibility.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { createLatestDataLoadPredicate } from '#server/matching/latest-loads.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import { decodeProjectKey, encodeProjectKey } from '#server/platform/text/project-key.ts'
import {
  type EligibilityTable,
  findEligibilityInterval,
  findMethodGroup,
  getEligibilityCell,
} from '#server/report/eligibility/eligibility-table.ts'
import { MAX_FIT_CANDIDATES } from '#server/report/fit/rank-by-fit.ts'
import type {
  FitRanking,
  PreviousReportVisit,
  PursuedProject,
  SearchedTextField,
} from '#server/report/report-queries.ts'
import {
  type DayFact,
  isDayFact,
  isMoneyFact,
  type MoneyFactName,
  PACKED_NUMBERS_PER_PROJECT,
  PACKED_PROJECT_OFFSETS,
  type ProjectColumns,
  type ProjectFieldCombinations,
  UNKNOWN_DAY_NUMBER,
} from './project-columns.ts'

export type ReportTabMatches = {
  readonly rows: Int32Array
  readonly firstLoads: Int32Array
  /** Id of the load that last changed each match; 0 if no load changed it. */
  readonly changedLoads: Int32Array
  readonly words: Int32Array
}

export type TextSearch = {
  find(search: SearchNode, fields: readonly SearchedTextField[], tab: ReportTabMatches): Promise<Uint8Array>
  findLetters(forms: readonly string[], rows: Int32Array): Promise<Uint8Array>
}

export type CachedProjects = {
  readonly columns: ProjectColumns
  readonly words: TextSearch
  readonly version: string
}

export function findRowPosition({ rows }: ReportTabMatches, row: number): number {
  let [low, high] = [0, rows.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = rows[middle]!
    if (candidate === row) return middle
    if (candidate < row) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Returns -1 if the tab does not contain the project. */
export function findProjectPosition(tab: ReportTabMatches, columns: ProjectColumns, projectId: string): number {
  const key = encodeProjectKey(projectId)
  return key === undefined ? -1 : findKeyPosition(tab, columns, key)
}

/** Like `findProjectPosition`, for a key of `encodeProjectKey`. */
export function findKeyPosition(tab: ReportTabMatches, columns: ProjectColumns, key: number): number {
  const row = columns.rowOf(key)
  return row === undefined ? -1 : findRowPosition(tab, row)
}

export function getRowsAtPositions({ rows }: ReportTabMatches, positions: Int32Array): Int32Array {
  const selectedRows = new Int32Array(positions.length)
  for (let i = 0; i < positions.length; i += 1) selectedRows[i] = rows[positions[i]!]!
  return selectedRows
}

type ReportTabStatusCounts = {
  readonly new: number
  readonly updated: number
  readonly closing: number
  readonly comment: number
}

export type CachedReportTabMatches = {
  readonly tab: ReportTabMatches
  readonly changes: Uint8Array
  readonly counts: ReportTabStatusCounts
}

const cacheBytes = new WeakMap<ReportTabMatches, number>()
export const getReportTabCacheBytes = (tab: ReportTabMatches): number => cacheBytes.get(tab) ?? 0
export function recordReportTabCacheBytes(tab: ReportTabMatches, bytes: number): void {
  cacheBytes.set(tab, (cacheBytes.get(tab) ?? 0) + bytes)
}
const contiguousFacts = new WeakMap<ReportTabMatches, Int32Array>()

/**
 * Copies the facts of a tab's matches into one contiguous array, `PACKED_NUMBERS_PER_PROJECT` per position. Matches are
 * scattered over a million projects: each random read of `columns.facts` costs 90 ns, and every facet of every query
 * reads all of them.
 */
export function getReportTabPackedProjects(tab: ReportTabMatches, { facts, size }: ProjectColumns): Int32Array {
  // If the tab contains all projects, positions equal rows, so the facts are already contiguous.
  if (tab.rows.length === size) return facts
  const cached = contiguousFacts.get(tab)
  if (cached) return cached
  const contiguous = new Int32Array(tab.rows.length * PACKED_NUMBERS_PER_PROJECT)
  for (let position = 0; position < tab.rows.length; position += 1) {
    const from = tab.rows[position]! * PACKED_NUMBERS_PER_PROJECT
    for (let i = 0; i < PACKED_NUMBERS_PER_PROJECT; i += 1)
      contiguous[position * PACKED_NUMBERS_PER_PROJECT + i] = facts[from + i]!
  }
  contiguousFacts.set(tab, contiguous)
  recordReportTabCacheBytes(tab, contiguous.byteLength)
  return contiguous
}

export function countReportTabMatchesByStatus(
  { tab, changes }: Pick<CachedReportTabMatches, 'tab' | 'changes'>,
  columns: ProjectColumns,
  positions: Int32Array | undefined,
  today: number,
): ReportTabStatusCounts {
  const counts = { new: 0, updated: 0, closing: 0, comment: 0 }
  const size = positions?.length ?? tab.rows.length
  for (let i = 0; i < size; i += 1) {
    const position = positions ? positions[i]! : i
    const row = tab.rows[position]!
    if (changes[position] === 1) counts.new += 1
    else if (changes[position] === 2) counts.updated += 1
    const due = getNearDeadlineKindAtRow(columns, row, today)
    if (due) counts[due] += 1
  }
  return counts
}

type MatchLists = Readonly<Record<keyof ReportTabMatches, ArrayLike<number>>>

export const pickMatches = (
  { rows, firstLoads, changedLoads, words }: MatchLists,
  positions: Int32Array,
): ReportTabMatches => ({
  rows: positions.map((position) => rows[position]!),
  firstLoads: positions.map((position) => firstLoads[position]!),
  changedLoads: positions.map((position) => changedLoads[position]!),
  words: positions.map((position) => words[position]!),
})

export function restrictReportTabToProjects(
  source: Pick<CachedReportTabMatches, 'tab' | 'changes'>,
  columns: ProjectColumns,
  version: { readonly today: number },
  projectIds: readonly string[],
): CachedReportTabMatches {
  const positions = new Set<number>()
  for (const id of projectIds) {
    const position = findProjectPosition(source.tab, columns, id)
    if (position !== -1) positions.add(position)
  }
  return tabOfPositions(source, columns, version, Int32Array.from(positions).sort())
}

export function tabOfPositions(
  { tab, changes }: Pick<CachedReportTabMatches, 'tab' | 'changes'>,
  columns: ProjectColumns,
  { today }: { readonly today: number },
  positions: Int32Array,
): CachedReportTabMatches {
  const part = {
    tab: pickMatches(tab, positions),
    changes: Uint8Array.from(positions, (position) => changes[position]!),
  }
  return { ...part, counts: countReportTabMatchesByStatus(part, columns, undefined, today) }
}

const tabsOfAllProjects = new WeakMap<CachedProjects, CachedReportTabMatches>()

/**
 * Returns all projects as one tab in which position equals row, without match data. Cached per version of the projects.
 */
export function createAllProjectsTabMatches(projects: CachedProjects): CachedReportTabMatches {
  const cached = tabsOfAllProjects.get(projects)
  if (cached) return cached
  const { size } = projects.columns
  const noValues = new Int32Array(0)
  const tab = {
    rows: Int32Array.from({ length: size }, (_, row) => row),
    firstLoads: noValues,
    changedLoads: noValues,
    words: noValues,
  }
  const cachedTab = {
    tab,
    changes: new Uint8Array(0),
    counts: { new: 0, updated: 0, closing: 0, comment: 0 },
  }
  tabsOfAllProjects.set(projects, cachedTab)
  return cachedTab
}

export function findProjectRow(columns: ProjectColumns, projectId: string): number | undefined {
  const key = encodeProjectKey(projectId)
  return key === undefined ? undefined : columns.rowOf(key)
}

/**
 * Returns the number of the change status of each match (`CHANGE_STATUSES_BY_NUMBER`) relative to
 * `LATEST_DATA_LOADS_TEXT_SQL`. Same rule as `PROJECT_CHANGE_STATUS_NUMBER_SQL`.
 */
export function computeChangeCodes(
  { rows, firstLoads, changedLoads }: ReportTabMatches,
  columns: ProjectColumns,
  latest: string | null,
) {
  const { isAwarded } = columns.kinds
  const changes = new Uint8Array(rows.length).fill(3)
  const isLatest = createLatestDataLoadPredicate(latest)
  for (let at = 0; at < rows.length; at += 1) {
    const first = firstLoads[at]!
    const changed = changedLoads[at]!
    if (isLatest(first) && isAwarded[columns.kind[rows[at]!]!] === 0) changes[at] = 1
    else if (changed !== first && isLatest(changed)) changes[at] = 2
  }
  return changes
}

/**
 * Returns 1 for each match that is new or updated in a load published after the user's previous visit; all zeros if
 * there was no visit.
 */
export function flagMatchesChangedSinceReportVisit({
  tab: { rows, firstLoads, changedLoads },
  columns,
  visit,
}: {
  readonly tab: ReportTabMatches
  readonly columns: ProjectColumns
  readonly visit: PreviousReportVisit | undefined
}): Uint8Array {
  const flags = new Uint8Array(rows.length)
  if (!visit || visit.loads.length === 0) return flags
  const loads = new Set(visit.loads)
  const oldest = Math.min(...visit.loads)
  const { isAwarded } = columns.kinds
  for (let at = 0; at < rows.length; at += 1) {
    const first = firstLoads[at]!
    const changed = changedLoads[at]!
    if (first < oldest && changed < oldest) continue
    const isNew = loads.has(first) && isAwarded[columns.kind[rows[at]!]!] === 0
    if (isNew || (changed !== first && loads.has(changed))) flags[at] = 1
  }
  return flags
}

/** Returns `getBidState` as an index into `BID_STATES`. `ends` is the bid day. */
export function getBidStateIndex(
  { bidStates }: ProjectFieldCombinations,
  kind: number,
  ends: number,
  today: number,
): number {
  return bidStates[kind * 3 + (ends === UNKNOWN_DAY_NUMBER ? 0 : ends < today ? 1 : 2)]!
}

export function getBidStateAtRow({ kind, kinds, days }: ProjectColumns, row: number, today: number): BidState {
  return BID_STATES[getBidStateIndex(kinds, kind[row]!, days.submission_end_date[row]!, today)]!.code
}

const OPEN_INDEX = BID_STATES.findIndex(({ code }) => code === 'open')
const UPCOMING_INDEX = BID_STATES.findIndex(({ code }) => code === 'upcoming')

type DueFacts = { readonly kind: number; readonly submissionEndsOn: number; readonly discussionEndsOn: number }

export function getPackedNearDeadlineKind(
  kinds: ProjectFieldCombinations,
  facts: DueFacts,
  today: number,
): NearDeadlineKind | undefined {
  const isNear = (day: number) => day >= today && day <= today + CLOSING_SOON_DAYS
  const { kind, submissionEndsOn: ends, discussionEndsOn } = facts
  if (isNear(ends) && getBidStateIndex(kinds, kind, ends, today) === OPEN_INDEX) return 'closing'
  return isNear(discussionEndsOn) && getBidStateIndex(kinds, kind, ends, today) === UPCOMING_INDEX
    ? 'comment'
    : undefined
}

export function getNearDeadlineKindAtRow(
  { kind, kinds, days }: ProjectColumns,
  row: number,
  today: number,
): NearDeadlineKind | undefined {
  const [submissionEndsOn, discussionEndsOn] = [days.submission_end_date[row]!, days.draft_discussion_end_date[row]!]
  return getPackedNearDeadlineKind(kinds, { kind: kind[row]!, submissionEndsOn, discussionEndsOn }, today)
}

type CachedVerdicts = { readonly table: EligibilityTable; readonly verdicts: Uint8Array }
const verdictsOfTabs = new WeakMap<ReportTabMatches, CachedVerdicts>()

/**
 * Returns the verdict of each match of a tab as an index into `ELIGIBILITY_VERDICTS`; cached, because every page and
 * facet of a tab reads the same ones.
 */
export function getEligibilityVerdicts(
  tab: ReportTabMatches,
  columns: ProjectColumns,
  table: EligibilityTable,
): Uint8Array {
  const cached = verdictsOfTabs.get(tab)
  if (cached?.table === table) return cached.verdicts
  const verdicts = computeVerdicts(tab, columns, table)
  if (!cached) recordReportTabCacheBytes(tab, verdicts.byteLength)
  verdictsOfTabs.set(tab, { table, verdicts })
  return verdicts
}

function computeVerdicts(tab: ReportTabMatches, columns: ProjectColumns, table: EligibilityTable): Uint8Array {
  const { rows } = tab
  const { kinds, days, money } = columns
  const facts = getReportTabPackedProjects(tab, columns)
  const announcedOn = table.announcedOn.map(toDayNumber)
  const submittedOn = table.submittedOn.map(toDayNumber)
  const groupOfMethod = kinds.values.method.map(findMethodGroup)
  const isConstruction = kinds.values.method_type.map((type) => CONSTRUCTION_METHOD_TYPES.includes(type))
  const findDay = (bounds: readonly number[], day: number) =>
    day === UNKNOWN_DAY_NUMBER ? 0 : findEligibilityInterval(bounds, day)
  const announcementDayOf = (row: number) => {
    for (const name of ['bidding_invite_date', 'draft_published_date'] as const)
      if (days[name][row] !== UNKNOWN_DAY_NUMBER) return days[name][row]!
    return days.movement_date[row]!
  }
  const verdicts = new Uint8Array(rows.length)
  for (let position = 0; position < rows.length; position += 1) {
    const kind = facts[position * PACKED_NUMBERS_PER_PROJECT + PACKED_PROJECT_OFFSETS.kind]!
    const group = table.groups[groupOfMethod[kinds.valueOf.method[kind]!]!]!
    // Most projects use the specific method, whose verdict depends on nothing else.
    if (group.length === 1) {
      verdicts[position] = group[0]!
      continue
    }
    const row = rows[position]!
    const satang = money.budget[row]!
    const cell = getEligibilityCell(table, {
      isConstruction: isConstruction[kinds.valueOf.method_type[kind]!]!,
      announced: findDay(announcedOn, announcementDayOf(row)),
      budget: Number.isNaN(satang) ? 0 : findEligibilityInterval(table.budgets, satang),
      submitted: findDay(submittedOn, days.submission_end_date[row]!),
    })
    verdicts[position] = group[cell]!
  }
  return verdicts
}

/**
 * Maximum number of rows to sort completely. With more, the rows of the page are selected first and only they are
 * sorted.
 */
const MAX_FULL_SORT_ROWS = 2_000
const SORTED_FACTS = new Map<string, MoneyFactName | DayFact>(
  REPORT_COLUMNS.flatMap(({ field, sort }) =>
    sort && (isMoneyFact(field) || isDayFact(field)) ? [[sort, field]] : [],
  ),
)

/**
 * Values of the sort orders by team work. Few projects are pursued, so these orders put the pursued projects first and
 * sort all other rows by id.
 */
const PURSUIT_SORT_VALUES = {
  pursuit_stage: ({ stagePosition }: PursuedProject) => stagePosition,
  pursuit_notes: ({ notes }: PursuedProject) => notes || null,
} as const satisfies Record<OtherReportSortField, (pursued: PursuedProject) => number | null>

/** Compares two rows as in `reportOrderSql`: unknown values last in both directions, ties by project id. */
type RowOrder = (a: number, b: number) => number

function rowOrder(ordering: string | undefined, { keys, money, days }: ProjectColumns): RowOrder {
  const isDescending = ordering === undefined || ordering.startsWith('-')
  const fact = (ordering && SORTED_FACTS.get(ordering.replace(/^-/, ''))) || 'movement_date'
  const values: Int32Array | Float64Array = isMoneyFact(fact) ? money[fact] : days[fact]
  const isKnown = (value: number) => !Number.isNaN(value) && value !== UNKNOWN_DAY_NUMBER
  const direction = isDescending ? -1 : 1
  return (a, b) => {
    const x = values[a]!
    const y = values[b]!
    const xKnown = isKnown(x)
    const yKnown = isKnown(y)
    if (xKnown && yKnown && x !== y) return x < y ? -direction : direction
    if (xKnown !== yKnown) return xKnown ? -1 : 1
    return keys[a]! - keys[b]!
  }
}

type PageRequest = { readonly ordering: string | undefined; readonly from: number; readonly size: number }
type ScoredRows = { readonly scores: ReadonlyMap<number, number> }
type OrderContext = {
  readonly columns: ProjectColumns
  readonly pursued: readonly PursuedProject[]
  readonly deepMatches?: ScoredRows | undefined
  readonly fit?: FitRanking | undefined
}

export function getSortedRowsPage(
  rows: Int32Array,
  page: PageRequest,
  { columns, pursued, deepMatches, fit }: OrderContext,
): Int32Array {
  if (page.ordering === FIT_ORDERING) return bestFitFirst(rows, page, fit, columns)
  if (deepMatches && page.ordering === undefined)
    return closestFirst(rows, page, deepMatches, rowOrder(undefined, columns))
  const sortValue = PURSUIT_SORT_VALUES[page.ordering?.replace(/^-/, '') as keyof typeof PURSUIT_SORT_VALUES]
  if (!sortValue) return pageInOrder(rows, page, rowOrder(page.ordering, columns))
  const valueByRow = new Map<number, number>()
  for (const project of pursued) {
    const value = sortValue(project)
    if (value !== null) valueByRow.set(project.row, value)
  }
  const byKey = (a: number, b: number) => columns.keys[a]! - columns.keys[b]!
  return valuesFirst(rows, page, {
    valueByRow,
    isDescending: page.ordering!.startsWith('-'),
    rest: byKey,
  })
}

function bestFitFirst(
  rows: Int32Array,
  page: PageRequest,
  fit: FitRanking | undefined,
  columns: ProjectColumns,
): Int32Array {
  if (!fit) throw new Error('an order by fit was not resolved')
  if (!fit.scores) return pageInOrder(rows, page, rowOrder('submission_end_date', columns))
  const valueByRow = new Map<number, number>()
  for (const [id, score] of fit.scores) {
    const row = findProjectRow(columns, id)
    if (row !== undefined) valueByRow.set(row, score)
  }
  return valuesFirst(rows, page, { valueByRow, isDescending: true, rest: rowOrder(undefined, columns) })
}

type ValuesFirstOrder = {
  readonly valueByRow: ReadonlyMap<number, number>
  readonly isDescending: boolean
  /** Order of the rows without a value and of rows with equal values. */
  readonly rest: RowOrder
}

function valuesFirst(
  rows: Int32Array,
  page: PageRequest,
  { valueByRow, isDescending, rest }: ValuesFirstOrder,
): Int32Array {
  const direction = isDescending ? -1 : 1
  const rowsWithValue = rows
    .filter((row) => valueByRow.has(row))
    .sort((a, b) => (valueByRow.get(a)! - valueByRow.get(b)!) * direction || rest(a, b))
  const { from, size } = page
  const pageRows = rowsWithValue.subarray(from, from + size)
  if (pageRows.length === size) return pageRows
  const rowsWithoutValue = rows.filter((row) => !valueByRow.has(row))
  const remainder = { ...page, from: Math.max(0, from - rowsWithValue.length), size: size - pageRows.length }
  const remainingRows = pageInOrder(rowsWithoutValue, remainder, rest)
  const combined = new Int32Array(pageRows.length + remainingRows.length)
  combined.set(pageRows)
  combined.set(remainingRows, pageRows.length)
  return combined
}

/** Orders by score, best first. Scores have two decimals, so many rows tie; ties are in report order. */
function closestFirst(
  rows: Int32Array,
  { from, size }: PageRequest,
  { scores }: ScoredRows,
  order: RowOrder,
): Int32Array {
  const groups = [...Map.groupBy(rows, (row) => scores.get(row)!)].sort(([a], [b]) => b - a)
  const pageRows: number[] = []
  let before = 0
  for (const [, group] of groups) {
    const at = Math.max(0, from - before)
    if (at < group.length)
      pageRows.push(...pageInOrder(Int32Array.from(group), { from: at, size: size - pageRows.length }, order))
    before += group.length
    if (pageRows.length === size) break
  }
  return Int32Array.from(pageRows)
}

function pageInOrder(rows: Int32Array, { from, size }: Omit<PageRequest, 'ordering'>, compare: RowOrder): Int32Array {
  const ordered = rows.slice()
  if (rows.length <= MAX_FULL_SORT_ROWS) return ordered.sort(compare).subarray(from, from + size)
  partition(ordered, from, compare)
  partition(ordered.subarray(from), size, compare)
  return ordered.subarray(from, from + size).sort(compare)
}

/** Moves the first `count` rows of the order to the front, in no particular order (Hoare's selection). */
function partition(rows: Int32Array, count: number, compare: RowOrder): void {
  let [low, high] = [0, rows.length - 1]
  if (count <= 0 || count > high) return
  while (low < high) {
    const pivot = rows[(low + high) >> 1]!
    let [i, j] = [low, high]
    while (i <= j) {
      while (compare(rows[i]!, pivot) < 0) i += 1
      while (compare(rows[j]!, pivot) > 0) j -= 1
      if (i > j) break
      const swapped = rows[i]!
      rows[i] = rows[j]!
      rows[j] = swapped
      i += 1
      j -= 1
    }
    if (count <= j) high = j
    else if (count >= i) low = i
    else return
  }
}

/** Returns the ids that `loadFitCandidates` selects. The database takes 2 s for 650,000 matches. */
export function findFitCandidates(columns: ProjectColumns, { rows }: ReportTabMatches, isoToday: string): string[] {
  const today = toDayNumber(isoToday)
  const actionableRows = rows.filter((row) => {
    const state = getBidStateAtRow(columns, row, today)
    return state === 'open' || state === 'upcoming'
  })
  const page = { ordering: undefined, from: 0, size: MAX_FIT_CANDIDATES }
  return Array.from(getSortedRowsPage(actionableRows, page, { columns, pursued: [] }), (row) =>
    decodeProjectKey(columns.keys[row]!),
  )
}
