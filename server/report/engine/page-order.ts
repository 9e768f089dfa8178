import { type OtherReportSortField, REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import { MAX_FIT_CANDIDATES } from '#server/report/fit/rank-by-fit.ts'
import type { FitRanking, PursuedProject } from '#server/report/report-queries.ts'
import { partition, type RowOrder, selectFirst } from '#server/report/select-first.ts'
import {
  type DayFact,
  isDayFact,
  isMoneyFact,
  type MoneyFactName,
  type ProjectColumns,
  UNKNOWN_DAY_NUMBER,
} from './project-columns.ts'
import { findProjectRow, getBidStateAtRow, type ReportTab } from './report-tab.ts'

const SORTED_FACTS = new Map<string, MoneyFactName | DayFact>(
  REPORT_COLUMNS.flatMap(({ field, sort }) =>
    sort && (isMoneyFact(field) || isDayFact(field)) ? [[sort, field]] : [],
  ),
)

const PURSUIT_SORT_VALUES = {
  pursuit_stage: ({ stagePosition }: PursuedProject) => stagePosition,
  pursuit_notes: ({ notes }: PursuedProject) => notes || null,
} as const satisfies Record<OtherReportSortField, (pursued: PursuedProject) => number | null>

/** `values` has a number per row. Unknown values are last in both directions, as in `reportOrderSql`. */
export function byValue(
  values: Int8Array | Int32Array | Float64Array,
  isDescending: boolean,
  ties: RowOrder,
): RowOrder {
  const isKnown = (value: number) => !Number.isNaN(value) && value !== UNKNOWN_DAY_NUMBER
  const direction = isDescending ? -1 : 1
  return (a, b) => {
    const x = values[a]!
    const y = values[b]!
    const xKnown = isKnown(x)
    const yKnown = isKnown(y)
    if (xKnown && yKnown && x !== y) return x < y ? -direction : direction
    if (xKnown !== yKnown) return xKnown ? -1 : 1
    return ties(a, b)
  }
}

function valuesOfRows({ size }: ProjectColumns, pairs: Iterable<readonly [row: number, value: number]>): Float64Array {
  const values = new Float64Array(size).fill(Number.NaN)
  for (const [row, value] of pairs) values[row] = value
  return values
}

type OrderContext = {
  readonly columns: ProjectColumns
  readonly pursued: readonly PursuedProject[]
  readonly similarities?: Int8Array | undefined
  readonly fit?: FitRanking | undefined
}

/** Returns the order of `reportOrderSql`. The project id makes it total. */
export function createRowOrder(
  ordering: string | undefined,
  { columns, pursued, similarities, fit }: OrderContext,
): RowOrder {
  const { keys, days, money } = columns
  const byKey: RowOrder = (a, b) => keys[a]! - keys[b]!
  const newestFirst = byValue(days.movement_date, true, byKey)
  if (ordering === undefined) return similarities ? byValue(similarities, true, newestFirst) : newestFirst
  if (ordering === FIT_ORDERING) {
    if (!fit) throw new Error('an order by fit was not resolved')
    if (!fit.scores) return byValue(days.submission_end_date, false, byKey)
    const scores = Array.from(fit.scores).flatMap(([id, score]) => {
      const row = findProjectRow(columns, id)
      return row === undefined ? [] : [[row, score] as const]
    })
    return byValue(valuesOfRows(columns, scores), true, newestFirst)
  }
  const isDescending = ordering.startsWith('-')
  const name = ordering.replace(/^-/, '')
  const fact = SORTED_FACTS.get(name)
  if (fact) return byValue(isMoneyFact(fact) ? money[fact] : days[fact], isDescending, byKey)
  const sortValue = PURSUIT_SORT_VALUES[name as OtherReportSortField]
  const values = pursued.map((project) => [project.row, sortValue(project) ?? Number.NaN] as const)
  return byValue(valuesOfRows(columns, values), isDescending, byKey)
}

export type PageRequest = { readonly order: RowOrder; readonly from: number; readonly size: number }

export function getSortedRowsPage(rows: Int32Array, { order, from, size }: PageRequest): Int32Array {
  const end = Math.min(from + size, rows.length)
  if (from >= end) return new Int32Array(0)
  const candidates = selectFirst(rows, end, order)
  partition(candidates, from, order)
  return candidates.subarray(from).sort(order)
}

/** Returns the ids that `loadFitCandidates` selects. The database takes 2 s for 650,000 matches. */
export function findFitCandidates({ columns, rows, today }: ReportTab): string[] {
  const actionableRows = rows.filter((row) => {
    const state = getBidStateAtRow(columns, row, today)
    return state === 'open' || state === 'upcoming'
  })
  const order = createRowOrder(undefined, { columns, pursued: [] })
  return Array.from(getSortedRowsPage(actionableRows, { order, from: 0, size: MAX_FIT_CANDIDATES }), (row) =>
    decodeProjectKey(columns.keys[row]!),
  )
}
