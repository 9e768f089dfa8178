import { type OtherReportSortField, REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import { MAX_FIT_CANDIDATES } from '#server/report/fit/fit-queries.ts'
import { FIT_FALLBACK_ORDERING, type FitRanking } from '#server/report/fit/fit-ranking.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import type { PursuedProject } from '#server/report/report-filter.ts'
import {
  type DayFact,
  isDayFact,
  isMoneyFact,
  type MoneyFactName,
  type ProjectColumns,
  UNKNOWN_DAY_NUMBER,
} from './project-columns.ts'
import { findProjectRow, getBidStateAtRow, type ReportTabMatches } from './report-tab.ts'

/**
 * Maximum number of rows to sort completely. With more, the rows of the page are selected first and only they are
 * sorted.
 */
const MAX_FULL_SORT_ROWS = 2_000
/**
 * Pages that end within the first `MAX_BUFFERED_ROWS` rows and within `MAX_BUFFERED_SHARE` of all rows are selected
 * with a bounded buffer. Later pages use bucket sort: two passes with hardly any comparisons.
 */
const MAX_BUFFERED_ROWS = 4_000
const MAX_BUFFERED_SHARE = 1 / 32
/** Number of sort buckets. The last bucket is for unknown values. */
const BUCKETS = 1 << 16
const LAST_KNOWN_BUCKET = BUCKETS - 2

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

/** Row order as in `reportOrderSql`: unknown values last in both directions, ties by project id. */
type RowOrder = {
  readonly values: Int32Array | Float64Array
  readonly isDescending: boolean
  readonly isKnown: (value: number) => boolean
  readonly compare: (a: number, b: number) => number
  readonly bucketOf: (row: number) => number
}

const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)
/** Returns the upper 16 bits of a float; for positive floats they grow monotonically with the value. */
const magnitude = (value: number): number => {
  float[0] = value > 0 ? value : 0
  return halves[1]! >>> 16
}

function rowOrder(ordering: string | undefined, { keys, money, days }: ProjectColumns): RowOrder {
  const isDescending = ordering === undefined || ordering.startsWith('-')
  const fact = (ordering && SORTED_FACTS.get(ordering.replace(/^-/, ''))) || 'movement_date'
  const values: Int32Array | Float64Array = isMoneyFact(fact) ? money[fact] : days[fact]
  const isKnown = (value: number) => !Number.isNaN(value) && value !== UNKNOWN_DAY_NUMBER
  const direction = isDescending ? -1 : 1
  const bucket = isMoneyFact(fact) ? magnitude : (day: number) => Math.min(Math.max(day + 0x7000, 0), LAST_KNOWN_BUCKET)
  return {
    values,
    isDescending,
    isKnown,
    compare(a, b) {
      const x = values[a]!
      const y = values[b]!
      const xKnown = isKnown(x)
      const yKnown = isKnown(y)
      if (xKnown && yKnown && x !== y) return x < y ? -direction : direction
      if (xKnown !== yKnown) return xKnown ? -1 : 1
      return keys[a]! - keys[b]!
    },
    bucketOf(row) {
      const value = values[row]!
      if (!isKnown(value)) return BUCKETS - 1
      return isDescending ? LAST_KNOWN_BUCKET - bucket(value) : bucket(value)
    },
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
    rest: { ...EQUAL_VALUES, compare: byKey },
  })
}

function bestFitFirst(
  rows: Int32Array,
  page: PageRequest,
  fit: FitRanking | undefined,
  columns: ProjectColumns,
): Int32Array {
  if (!fit) throw new Error('an order by fit was not resolved')
  if (!fit.scores) return pageInOrder(rows, page, rowOrder(FIT_FALLBACK_ORDERING, columns))
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
    .sort((a, b) => (valueByRow.get(a)! - valueByRow.get(b)!) * direction || rest.compare(a, b))
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

const EQUAL_VALUES = {
  values: new Int32Array(0),
  isDescending: false,
  isKnown: () => false,
  bucketOf: () => BUCKETS - 1,
}

function pageInOrder(rows: Int32Array, { from, size }: Omit<PageRequest, 'ordering'>, order: RowOrder): Int32Array {
  const { compare, bucketOf } = order
  if (rows.length <= MAX_FULL_SORT_ROWS)
    return rows
      .slice()
      .sort(compare)
      .subarray(from, from + size)
  if (from >= rows.length) return new Int32Array(0)
  if (from + size <= Math.min(MAX_BUFFERED_ROWS, rows.length * MAX_BUFFERED_SHARE))
    return firstRows(rows, from + size, order)
      .sort(compare)
      .subarray(from)
  const counts = new Uint32Array(BUCKETS)
  for (let at = 0; at < rows.length; at += 1) counts[bucketOf(rows[at]!)]! += 1
  let [first, before] = [0, 0]
  while (before + counts[first]! <= from) {
    before += counts[first]!
    first += 1
  }
  let [last, until] = [first, before + counts[first]!]
  while (until < from + size && last < BUCKETS - 1) {
    last += 1
    until += counts[last]!
  }
  const near = rows.filter((row) => {
    const bucket = bucketOf(row)
    return bucket >= first && bucket <= last
  })
  const start = from - before
  partition(near, start, compare)
  partition(near.subarray(start), size, compare)
  return near.subarray(start, start + size).sort(compare)
}

/**
 * Selects the first `count` rows, unordered. Fills a buffer of twice that size, then drops the half that sorts last.
 * From then on, one comparison rejects a row that sorts after all rows in the buffer.
 */
function firstRows(rows: Int32Array, count: number, { values, isDescending, isKnown, compare }: RowOrder): Int32Array {
  const buffer = new Int32Array(count * 2 + 1_000)
  let size = 0
  let bound = 0
  let isBound = false
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    // An unknown amount is NaN and fails both comparisons. An unknown day is smaller than every other day.
    if (isBound) {
      const value = values[row]!
      if (!(isDescending ? value >= bound : value <= bound && isKnown(value))) continue
    }
    buffer[size++] = row
    if (size < buffer.length) continue
    partition(buffer, count, compare)
    size = count
    const last = buffer.subarray(0, count).reduce((a, b) => (compare(a, b) > 0 ? a : b))
    // While the buffer contains unknown values, there is no bound, because every known value sorts before them.
    isBound = isKnown(values[last]!)
    bound = values[last]!
  }
  const selected = buffer.subarray(0, size)
  partition(selected, count, compare)
  return selected.subarray(0, Math.min(count, size))
}

function partition(rows: Int32Array, count: number, compare: RowOrder['compare']): void {
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
  const today = toPackedDay(isoToday)
  const actionableRows = rows.filter((row) => {
    const state = getBidStateAtRow(columns, row, today)
    return state === 'open' || state === 'upcoming'
  })
  const page = { ordering: undefined, from: 0, size: MAX_FIT_CANDIDATES }
  return Array.from(getSortedRowsPage(actionableRows, page, { columns, pursued: [] }), (row) =>
    decodeProjectKey(columns.keys[row]!),
  )
}
