import { type OtherReportSortField, REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import { MAX_FIT_CANDIDATES } from '#server/report/fit/rank-by-fit.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import type { FitRanking, PursuedProject } from '#server/report/report-queries.ts'
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
