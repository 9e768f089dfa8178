import {
  BID_STATES,
  type BidState,
  CLOSING_SOON_DAYS,
  NEAR_DEADLINE_KINDS,
  type NearDeadlineKind,
} from '#contract/catalogue/bid-state.ts'
import { listReportFacts } from '#contract/catalogue/project-facts.ts'
import { createRecord } from '#contract/create-record.ts'
import { CONSTRUCTION_METHOD_TYPES } from '#contract/report/eligibility.ts'
import { createLatestDataLoadPredicate } from '#server/matching/latest-loads.ts'
import {
  FLAG_SHIFTS,
  MONEY_BIN_MASK,
  MONEY_BIN_SHIFTS,
  PROVINCE_CODES,
  PROVINCE_SHIFTS,
} from '#server/matching/packed-row.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import {
  type EligibilityTable,
  findEligibilityInterval,
  findMethodGroup,
  getEligibilityCell,
} from '#server/report/eligibility/eligibility-table.ts'
import { COUNTED_DAYS, FIRST_DATE_PRESET_DAY } from '#server/report/report-queries.ts'
import { COUNTED_DAY_FACTS, COUNTED_MONEY_FACTS, type ProjectColumns, UNKNOWN_DAY_NUMBER } from './project-columns.ts'

/** Matches in the order of their rows. A position is an index into these lists. */
export type MatchLists = {
  readonly rows: Int32Array
  readonly firstLoads: Int32Array
  /** Id of the load that last changed each match; 0 if no load changed it. */
  readonly changedLoads: Int32Array
  readonly words: Int32Array
}

type StatusCounts = {
  readonly new: number
  readonly updated: number
  readonly closing: number
  readonly comment: number
}

/** Inputs of a tab other than its matches and their projects. */
export type ReportTabContext = {
  /** `LATEST_DATA_LOADS_TEXT_SQL` */
  readonly latest: string | null
  /** In days since 2000-01-01. */
  readonly today: number
}

/** The matches that a search covers before its filters apply. */
export type ReportTab = MatchLists &
  ReportTabContext & {
    readonly columns: ProjectColumns
    /** Number of the change status of each match (`CHANGE_STATUSES_BY_NUMBER`). */
    readonly changes: Uint8Array
    readonly counts: StatusCounts
  }

export function createReportTab(
  columns: ProjectColumns,
  { rows, firstLoads, changedLoads, words }: MatchLists,
  { latest, today }: ReportTabContext,
): ReportTab {
  const changes = computeChangeCodes({ rows, firstLoads, changedLoads }, columns, latest)
  const tab = { columns, rows, firstLoads, changedLoads, words, latest, today, changes }
  return { ...tab, counts: countMatchesByStatus(tab) }
}

/** Restricts a tab to these positions. */
export const pickFromTab = (tab: ReportTab, positions: Int32Array): ReportTab =>
  createReportTab(tab.columns, pickMatches(tab, positions), tab)

/** Memoises `compute` by tab for as long as the tab exists. */
export function oncePerTab<Value>(compute: (tab: ReportTab) => Value): (tab: ReportTab) => Value {
  const values = new WeakMap<ReportTab, { readonly value: Value }>()
  return (tab) => {
    const computed = values.get(tab) ?? { value: compute(tab) }
    values.set(tab, computed)
    return computed.value
  }
}

/** Returns all projects as one tab in which position equals row, without match data. */
export function createAllProjectsTab(columns: ProjectColumns, today: number): ReportTab {
  const noValues = new Int32Array(0)
  return {
    columns,
    rows: new Int32Array(columns.size).map((_, row) => row),
    firstLoads: noValues,
    changedLoads: noValues,
    words: noValues,
    latest: null,
    today,
    changes: new Uint8Array(0),
    counts: { new: 0, updated: 0, closing: 0, comment: 0 },
  }
}

type AnyLists = Readonly<Record<keyof MatchLists, ArrayLike<number>>>

export const pickMatches = (
  { rows, firstLoads, changedLoads, words }: AnyLists,
  positions: Int32Array,
): MatchLists => ({
  rows: positions.map((position) => rows[position]!),
  firstLoads: positions.map((position) => firstLoads[position]!),
  changedLoads: positions.map((position) => changedLoads[position]!),
  words: positions.map((position) => words[position]!),
})

/** Returns the index of a value in an ascending list, or -1. */
export function findInAscending(values: Int32Array, value: number): number {
  let [low, high] = [0, values.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = values[middle]!
    if (candidate === value) return middle
    if (candidate < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export const findRowPosition = ({ rows }: Pick<MatchLists, 'rows'>, row: number): number => findInAscending(rows, row)

export function findProjectRow(columns: Pick<ProjectColumns, 'rowOf'>, projectId: string): number | undefined {
  const key = encodeProjectKey(projectId)
  return key === undefined ? undefined : columns.rowOf(key)
}

/** Returns -1 if the tab does not contain the project. */
export function findProjectPosition(tab: ReportTab, projectId: string): number {
  const row = findProjectRow(tab.columns, projectId)
  return row === undefined ? -1 : findRowPosition(tab, row)
}

/** Returns the positions of those of the projects that the tab contains, ascending and without duplicates. */
export function findProjectPositions(tab: ReportTab, projectIds: readonly string[]): Int32Array {
  const positions = Int32Array.from(projectIds, (id) => findProjectPosition(tab, id)).sort()
  return positions.filter((position, i) => position !== -1 && position !== positions[i - 1])
}

/** A loop, because `map` takes five times as long for hundreds of thousands of positions. */
export function getRowsAtPositions({ rows }: ReportTab, positions: Int32Array): Int32Array {
  const rowsAtPositions = new Int32Array(positions.length)
  for (let i = 0; i < positions.length; i += 1) rowsAtPositions[i] = rows[positions[i]!]!
  return rowsAtPositions
}

/** Counts the matches at these positions, or all. */
export function countMatchesByStatus(
  { columns, rows, changes, today }: Omit<ReportTab, 'counts'>,
  positions?: Int32Array,
): StatusCounts {
  const counts = { new: 0, updated: 0, closing: 0, comment: 0 }
  const size = positions?.length ?? rows.length
  for (let i = 0; i < size; i += 1) {
    const position = positions ? positions[i]! : i
    if (changes[position] === 1) counts.new += 1
    else if (changes[position] === 2) counts.updated += 1
    const due = getNearDeadlineKindAtRow(columns, rows[position]!, today)
    if (due) counts[due] += 1
  }
  return counts
}

/**
 * Returns the number of the change status of each match (`CHANGE_STATUSES_BY_NUMBER`) relative to
 * `LATEST_DATA_LOADS_TEXT_SQL`. Same rule as `PROJECT_CHANGE_STATUS_NUMBER_SQL`.
 */
function computeChangeCodes(
  { rows, firstLoads, changedLoads }: Omit<MatchLists, 'words'>,
  { kind, kinds: { isAwarded } }: ProjectColumns,
  latest: string | null,
): Uint8Array {
  const changes = new Uint8Array(rows.length).fill(3)
  const isLatest = createLatestDataLoadPredicate(latest)
  for (let at = 0; at < rows.length; at += 1) {
    const first = firstLoads[at]!
    const changed = changedLoads[at]!
    if (isLatest(first) && isAwarded[kind[rows[at]!]!] === 0) changes[at] = 1
    else if (changed !== first && isLatest(changed)) changes[at] = 2
  }
  return changes
}

/** Flags the matches that are new or updated in one of these loads. */
export function flagChangedInLoads(
  { columns: { kind, kinds }, rows, firstLoads, changedLoads }: ReportTab,
  loadIds: readonly number[],
): Uint8Array {
  const flags = new Uint8Array(rows.length)
  const loads = new Set(loadIds)
  const oldest = Math.min(...loadIds)
  for (let at = 0; at < rows.length; at += 1) {
    const first = firstLoads[at]!
    const changed = changedLoads[at]!
    if (first < oldest && changed < oldest) continue
    const isNew = loads.has(first) && kinds.isAwarded[kind[rows[at]!]!] === 0
    flags[at] = Number(isNew || (changed !== first && loads.has(changed)))
  }
  return flags
}

/** Returns `getBidState` of a row as an index into `BID_STATES`, without a branch. An unknown day is before today. */
export function getBidStateIndex({ kind, kinds, days }: ProjectColumns, row: number, today: number): number {
  const ends = days.submission_end_date[row]!
  return kinds.bidStates[kind[row]! * 3 + Number(ends !== UNKNOWN_DAY_NUMBER) + Number(ends >= today)]!
}

export const getBidStateAtRow = (columns: ProjectColumns, row: number, today: number): BidState =>
  BID_STATES[getBidStateIndex(columns, row, today)]!.code

const OPEN_INDEX = BID_STATES.findIndex(({ code }) => code === 'open')
const UPCOMING_INDEX = BID_STATES.findIndex(({ code }) => code === 'upcoming')

/** Tests the days first, because few are near. */
export function getNearDeadlineKindAtRow(
  columns: ProjectColumns,
  row: number,
  today: number,
): NearDeadlineKind | undefined {
  const { submission_end_date: submissionEnds, draft_discussion_end_date: discussionEnds } = columns.days
  const isNear = (day: number) => day >= today && day <= today + CLOSING_SOON_DAYS
  if (isNear(submissionEnds[row]!) && getBidStateIndex(columns, row, today) === OPEN_INDEX) return 'closing'
  return isNear(discussionEnds[row]!) && getBidStateIndex(columns, row, today) === UPCOMING_INDEX
    ? 'comment'
    : undefined
}

type CachedVerdicts = { readonly table: EligibilityTable; readonly verdicts: Uint8Array }
const verdictsOfTabs = new WeakMap<ReportTab, CachedVerdicts>()

/**
 * Returns the verdict of each match of a tab as an index into `ELIGIBILITY_VERDICTS`; cached, because every page and
 * facet of a tab reads the same ones.
 */
export function getEligibilityVerdicts(tab: ReportTab, table: EligibilityTable): Uint8Array {
  const cached = verdictsOfTabs.get(tab)
  if (cached?.table === table) return cached.verdicts
  const verdicts = computeVerdicts(tab, table)
  verdictsOfTabs.set(tab, { table, verdicts })
  return verdicts
}

function computeVerdicts({ rows, columns }: ReportTab, table: EligibilityTable): Uint8Array {
  const { kinds, days, money } = columns
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
  return Uint8Array.from(rows, (row) => {
    const kind = columns.kind[row]!
    const group = table.groups[groupOfMethod[kinds.valueOf.method[kind]!]!]!
    // Most projects use the specific method, whose verdict depends on nothing else.
    if (group.length === 1) return group[0]!
    const satang = money.budget[row]!
    const cell = getEligibilityCell(table, {
      isConstruction: isConstruction[kinds.valueOf.method_type[kind]!]!,
      announced: findDay(announcedOn, announcementDayOf(row)),
      budget: Number.isNaN(satang) ? 0 : findEligibilityInterval(table.budgets, satang),
      submitted: findDay(submittedOn, days.submission_end_date[row]!),
    })
    return group[cell]!
  })
}

export type FactNumbers = Uint8Array | Uint16Array

/**
 * Returns the numbers of the facts that facets count, by position. Organisations match a few thousand of a million
 * projects, so reading the columns of projects takes a cache line per match and fact; under load, these lists of a tab
 * made counting four times as fast.
 */
export const getCountedFacts = oncePerTab((tab: ReportTab) => {
  const { columns, today } = tab
  const { kind, kinds, provinces, bins, days } = columns
  /** Days outside the presets share the number after the last. */
  const toDayIndex = (day: number) => {
    const index = day - today - FIRST_DATE_PRESET_DAY
    return index >= 0 && index < COUNTED_DAYS ? index : COUNTED_DAYS
  }
  const projectProvinceAt = (row: number) => provinces[row]! >>> PROVINCE_SHIFTS.project_province
  const departmentProvinceAt = (row: number) => provinces[row]! & (PROVINCE_CODES - 1)
  return {
    values: createRecord(listReportFacts('enumeration'), (fact) => {
      const valueOfKind = kinds.valueOf[fact]
      return numberMatches(tab, Uint16Array, (row) => valueOfKind[kind[row]!]!)
    }),
    flags: createRecord(Object.keys(FLAG_SHIFTS) as (keyof typeof FLAG_SHIFTS)[], (fact) =>
      numberMatches(tab, Uint8Array, (row) => kinds.flags[fact][kind[row]!]!),
    ),
    provinces: {
      project_province: numberMatches(tab, Uint8Array, projectProvinceAt),
      dept_province: numberMatches(tab, Uint8Array, departmentProvinceAt),
      either: numberMatches(tab, Uint8Array, (row) => projectProvinceAt(row) || departmentProvinceAt(row)),
    },
    bins: createRecord(COUNTED_MONEY_FACTS, (fact) =>
      numberMatches(tab, Uint8Array, (row) => (bins[row]! >>> MONEY_BIN_SHIFTS[fact]) & MONEY_BIN_MASK),
    ),
    days: createRecord(COUNTED_DAY_FACTS, (fact) =>
      numberMatches(tab, Uint16Array, (row) => toDayIndex(days[fact][row]!)),
    ),
    /** Indexes into `BID_STATES`. */
    bidStates: numberMatches(tab, Uint8Array, (row) => getBidStateIndex(columns, row, today)),
    /** Indexes into `NEAR_DEADLINE_KINDS`; its length for none. */
    due: numberMatches(tab, Uint8Array, (row) => {
      const near = getNearDeadlineKindAtRow(columns, row, today)
      return near ? NEAR_DEADLINE_KINDS.indexOf(near) : NEAR_DEADLINE_KINDS.length
    }),
  }
})

function numberMatches<Numbers extends FactNumbers>(
  { rows }: ReportTab,
  Numbers: new (length: number) => Numbers,
  numberAt: (row: number) => number,
): Numbers {
  const numbers = new Numbers(rows.length)
  for (let position = 0; position < rows.length; position += 1) numbers[position] = numberAt(rows[position]!)
  return numbers
}
