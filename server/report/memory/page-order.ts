import type { ReportSortField } from '#contract/catalogue/report-columns.ts'
import type { FailureMasks } from './failure-masks.ts'
import { isLarge, noteKept } from './held-matches.ts'
import type { Pursued } from './kept-pursuits.ts'
import { type MatchTab, rowsAt } from './match-set.ts'
import type { Meant } from './meant.ts'
import { type DayColumn, type MoneyColumn, NO_DAY, type ProjectColumns } from './project-columns.ts'
import type { Question } from './question.ts'

/** Up to this many rows are sorted outright; above it, only the rows of the page are selected first. */
const SORTED_WHOLE = 2_000
/**
 * Pages that end within the first `MOST_KEPT` rows and within `KEPT_PART` of all rows are selected with a bounded
 * buffer; later pages with bucket sort: two passes, hardly any comparisons.
 */
const MOST_KEPT = 4_000
const KEPT_PART = 1 / 32
/** The last bucket is for unknown values. */
const BUCKETS = 1 << 16
const LAST_KNOWN = BUCKETS - 2

type Column = { readonly money: MoneyColumn } | { readonly day: DayColumn }
const SORTED_BY: Readonly<Record<Exclude<ReportSortField, keyof typeof PURSUED_BY>, Column>> = {
  project_budget: { money: 'budget' },
  project_estimate_budget: { money: 'estimate' },
  project_winner_budget: { money: 'winner' },
  draft_published_date: { day: 'draftPublishedOn' },
  draft_discussion_end_date: { day: 'discussionEndsOn' },
  bidding_invite_date: { day: 'invitedOn' },
  submission_end_date: { day: 'submissionEndsOn' },
}

/** Pursued projects are few: these orders put them first and sort the rest by id. */
const PURSUED_BY = {
  pursuit_stage: ({ stagePlace }: Pursued) => stagePlace,
  pursuit_notes: ({ notes }: Pursued) => notes || null,
} as const satisfies Partial<Record<ReportSortField, (pursued: Pursued) => number | null>>

/** Row order as in `orderSql`: unknown values last in both directions, ties by project id. */
type RowOrder = {
  readonly values: Int32Array | Float64Array
  readonly isDescending: boolean
  readonly isKnown: (value: number) => boolean
  readonly compare: (a: number, b: number) => number
  readonly bucketOf: (row: number) => number
}

const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)
/** The upper 16 bits of a positive float grow monotonically with its value. */
const magnitude = (value: number): number => {
  float[0] = value > 0 ? value : 0
  return halves[1]! >>> 16
}

function rowOrder(ordering: string | undefined, { keys, money, days }: ProjectColumns): RowOrder {
  const isDescending = ordering === undefined || ordering.startsWith('-')
  const field = ordering?.replace(/^-/, '') as keyof typeof SORTED_BY | undefined
  const column: Column = field === undefined ? { day: 'movementOn' } : SORTED_BY[field]
  const values: Int32Array | Float64Array = 'money' in column ? money[column.money] : days[column.day]
  const isKnown = (value: number) => !Number.isNaN(value) && value !== NO_DAY
  const direction = isDescending ? -1 : 1
  const bucket = 'money' in column ? magnitude : (day: number) => Math.min(Math.max(day + 0x7000, 0), LAST_KNOWN)
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
      return isDescending ? LAST_KNOWN - bucket(value) : bucket(value)
    },
  }
}

type Page = { readonly ordering: string | undefined; readonly from: number; readonly size: number }
type Ordered = {
  readonly columns: ProjectColumns
  readonly pursued: readonly Pursued[]
  readonly meant?: Meant | undefined
}

/** Maximum number of out-of-order rows (appended after higher ids) to merge; takes 10 ms. */
const MOST_LATER = 50_000
const orders = new WeakMap<MatchTab, Int32Array | undefined>()

/**
 * Places of a tab in the default report order (newest movement first), cached; undefined for small tabs. Linear time.
 */
function newestFirst(tab: MatchTab, columns: ProjectColumns): Int32Array | undefined {
  if (!isLarge(tab)) return undefined
  if (orders.has(tab)) return orders.get(tab)
  const places = placesByKey(tab, columns.keys)
  const order = places && inBuckets(places, tab, rowOrder(undefined, columns))
  orders.set(tab, order)
  if (order) noteKept(tab, order.byteLength)
  return order
}

/** Places by project id. Rows already have that order except those appended later. */
function placesByKey({ rows }: MatchTab, keys: Float64Array): Int32Array | undefined {
  const places = rows.map((_, place) => place)
  let sorted = 1
  while (sorted < rows.length && keys[rows[sorted]!]! > keys[rows[sorted - 1]!]!) sorted += 1
  if (rows.length - sorted > MOST_LATER) return undefined
  const keyAt = (place: number) => keys[rows[place]!]!
  const [before, later] = [places.slice(0, sorted), places.slice(sorted).sort((a, b) => keyAt(a) - keyAt(b))]
  for (let at = 0, first = 0, second = 0; at < places.length; at += 1) {
    const isLater = first === before.length || (second < later.length && keyAt(later[second]!) < keyAt(before[first]!))
    places[at] = isLater ? later[second++]! : before[first++]!
  }
  return places
}

/**
 * Bucket sort, stable within a bucket. Each bucket is one day, except the first and last, which cover days centuries
 * away.
 */
function inBuckets(places: Int32Array, { rows }: MatchTab, { bucketOf, compare }: RowOrder): Int32Array {
  const starts = new Uint32Array(BUCKETS + 1)
  for (let at = 0; at < places.length; at += 1) starts[bucketOf(rows[places[at]!]!) + 1]! += 1
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) starts[bucket + 1]! += starts[bucket]!
  const order = new Int32Array(places.length)
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at]!
    order[starts[bucketOf(rows[place]!)]!++] = place
  }
  // Each start now points to the end of its bucket.
  const [ofFirst, ofLast] = [order.subarray(0, starts[0]), order.subarray(starts[LAST_KNOWN - 1], starts[LAST_KNOWN])]
  for (const far of [ofFirst, ofLast]) far.sort((a, b) => compare(rows[a]!, rows[b]!))
  return order
}

export function pageOfPassing(question: Question, { failed, isOut, passing }: FailureMasks, page: Page): Int32Array {
  const { tab, columns, meant } = question
  const isUsual = page.ordering === undefined && !meant && passing.length > SORTED_WHOLE
  const order = isUsual ? newestFirst(tab, columns) : undefined
  if (!order) return pageOfRows(rowsAt(tab, passing), page, question)
  const shown: number[] = []
  let before = 0
  for (let at = 0; at < order.length && shown.length < page.size; at += 1) {
    const place = order[at]!
    if (failed[place] !== 0 || isOut[place] !== 0) continue
    if (before >= page.from) shown.push(tab.rows[place]!)
    before += 1
  }
  return Int32Array.from(shown)
}

/** Returns the rows at `[from, from + size)` of `rows` in report order. Linear time. */
export function pageOfRows(rows: Int32Array, page: Page, { columns, pursued, meant }: Ordered): Int32Array {
  if (meant && page.ordering === undefined) return closestFirst(rows, page, meant, rowOrder(undefined, columns))
  const told = PURSUED_BY[page.ordering?.replace(/^-/, '') as keyof typeof PURSUED_BY]
  if (!told) return pageInOrder(rows, page, rowOrder(page.ordering, columns))
  const known = new Map<number, number>()
  for (const each of pursued) {
    const value = told(each)
    if (value !== null) known.set(each.row, value)
  }
  const direction = page.ordering!.startsWith('-') ? -1 : 1
  const byKey = (a: number, b: number) => columns.keys[a]! - columns.keys[b]!
  const first = rows
    .filter((row) => known.has(row))
    .sort((a, b) => (known.get(a)! - known.get(b)!) * direction || byKey(a, b))
  const { from, size } = page
  const shown = first.subarray(from, from + size)
  if (shown.length === size) return shown
  const others = rows.filter((row) => !known.has(row))
  const rest = { ...page, from: Math.max(0, from - first.length), size: size - shown.length }
  const found = pageInOrder(others, rest, { ...NO_VALUES, compare: byKey })
  const both = new Int32Array(shown.length + found.length)
  both.set(shown)
  both.set(found, shown.length)
  return both
}

/** Scores have two decimals, so many rows tie; ties use the report order. */
function closestFirst(rows: Int32Array, { from, size }: Page, { scores }: Meant, order: RowOrder): Int32Array {
  const groups = [...Map.groupBy(rows, (row) => scores.get(row)!)].sort(([a], [b]) => b - a)
  const shown: number[] = []
  let before = 0
  for (const [, group] of groups) {
    const at = Math.max(0, from - before)
    if (at < group.length)
      shown.push(...pageInOrder(Int32Array.from(group), { from: at, size: size - shown.length }, order))
    before += group.length
    if (shown.length === size) break
  }
  return Int32Array.from(shown)
}

/** All values equal, so rows sort by id. */
const NO_VALUES = { values: new Int32Array(0), isDescending: false, isKnown: () => false, bucketOf: () => BUCKETS - 1 }

function pageInOrder(rows: Int32Array, { from, size }: Omit<Page, 'ordering'>, order: RowOrder): Int32Array {
  const { compare, bucketOf } = order
  if (rows.length <= SORTED_WHOLE)
    return rows
      .slice()
      .sort(compare)
      .subarray(from, from + size)
  if (from >= rows.length) return new Int32Array(0)
  if (from + size <= Math.min(MOST_KEPT, rows.length * KEPT_PART))
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
 * Selects the first `count` rows, unordered. Fills a buffer of twice that size, then drops the later half; afterwards
 * one comparison rejects a row that sorts after all retained ones.
 */
function firstRows(rows: Int32Array, count: number, { values, isDescending, isKnown, compare }: RowOrder): Int32Array {
  const kept = new Int32Array(count * 2 + 1_000)
  let size = 0
  let bound = 0
  let isBound = false
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    // An unknown amount is NaN and fails both comparisons. An unknown day is below all others.
    if (isBound) {
      const value = values[row]!
      if (!(isDescending ? value >= bound : value <= bound && isKnown(value))) continue
    }
    kept[size++] = row
    if (size < kept.length) continue
    partition(kept, count, compare)
    size = count
    const last = kept.subarray(0, count).reduce((a, b) => (compare(a, b) > 0 ? a : b))
    // While the selection includes unknown values, every known value sorts before them.
    isBound = isKnown(values[last]!)
    bound = values[last]!
  }
  const found = kept.subarray(0, size)
  partition(found, count, compare)
  return found.subarray(0, Math.min(count, size))
}

/** Quickselect: moves the first `count` rows to the front, unordered. */
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
      const moved = rows[i]!
      rows[i] = rows[j]!
      rows[j] = moved
      i += 1
      j -= 1
    }
    if (count <= j) high = j
    else if (count >= i) low = i
    else return
  }
}
