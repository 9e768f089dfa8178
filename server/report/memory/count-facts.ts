import { BID_STATES, DUE_KINDS } from '#contract/catalogue/bid-state.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { FIRST_DAY, LAST_DAY } from '#server/report/count-facets.ts'
import { packedDay } from '#server/report/packed-row.ts'
import { bidStateIndex, dueKindIn } from './change-codes.ts'
import { factsOf, isLarge, noteKept } from './held-matches.ts'
import type { MatchTab } from './match-set.ts'
import { BINS_BITS, type CountedDay, FACT, FACTS_A_ROW, type ProjectColumns } from './project-columns.ts'
import type { Question } from './question.ts'

/** 2 to 4 ms of work between yields to the event loop. */
const MATCHES_A_TURN = 200_000
const BINS_MASK = 2 ** BINS_BITS - 1
const DAYS = LAST_DAY - FIRST_DAY + 1

/**
 * Pool of zeroed count tables by length. Each count needs three tables of 32,000 numbers; allocating them cost 30 MB/s
 * at 100 queries/s, off-heap, where little memory returns to the system.
 */
const spare = new Map<number, Uint32Array[]>()
const LEAST_LENGTH = 1 << 14

/**
 * Takes a table for values below `most` from the pool. `tallyOf` returns it to the pool; otherwise it is
 * garbage-collected.
 */
function countTable(most: number): Uint32Array {
  const length = Math.max(LEAST_LENGTH, 2 ** Math.ceil(Math.log2(most)))
  return spare.get(length)?.pop() ?? new Uint32Array(length)
}

/**
 * Distinct values, ascending, with their counts. Columns have up to 32,000 values but a query matches few, so facets
 * iterate only these.
 */
type Tally = { readonly values: Uint32Array; readonly counts: Uint32Array }

let met = new Uint32Array(LEAST_LENGTH)

/** Extracts the non-zero counts, then clears the table and returns it to the pool. */
function tallyOf(counted: Uint32Array): Tally {
  if (met.length < counted.length) met = new Uint32Array(counted.length)
  let size = 0
  for (let value = 0; value < counted.length; value += 1) if (counted[value]! > 0) met[size++] = value
  const values = met.slice(0, size)
  const counts = new Uint32Array(size)
  for (let at = 0; at < size; at += 1) {
    const value = values[at]!
    counts[at] = counted[value]!
    counted[value] = 0
  }
  const free = spare.get(counted.length)
  if (free) free.push(counted)
  else spare.set(counted.length, [counted])
  return { values, counts }
}

export function eachOf({ values, counts }: Tally, visit: (value: number, count: number) => void): void {
  for (let at = 0; at < values.length; at += 1) visit(values[at]!, counts[at]!)
}

export type Counts = {
  readonly kinds: Tally
  readonly provinces: Tally
  readonly bins: Tally
  readonly changes: Uint32Array
  /** In the order of `BID_STATES`. */
  readonly bids: Uint32Array
  /** In the order of `DUE_KINDS`. */
  readonly due: Uint32Array
  /** Index 0 is `FIRST_DAY` relative to the query's day; the last is `LAST_DAY`. */
  readonly days: Readonly<Record<CountedDay, Uint32Array>>
}

type Tables = {
  readonly kinds: Uint32Array
  readonly provinces: Uint32Array
  readonly bins: Uint32Array
  readonly changes: Uint32Array
  readonly bids: Uint32Array
  readonly due: Uint32Array
  readonly days: Readonly<Record<CountedDay, Uint32Array>>
}

const emptyTables = ({ kinds }: ProjectColumns): Tables => ({
  kinds: countTable(kinds.size),
  provinces: countTable(1 << 14),
  bins: countTable(1 << BINS_BITS),
  changes: new Uint32Array(4),
  bids: new Uint32Array(BID_STATES.length),
  due: new Uint32Array(DUE_KINDS.length),
  days: {
    draftPublishedOn: new Uint32Array(DAYS),
    discussionEndsOn: new Uint32Array(DAYS),
    invitedOn: new Uint32Array(DAYS),
    submissionEndsOn: new Uint32Array(DAYS),
    announcedOn: new Uint32Array(DAYS),
  },
})

const countsOf = ({ kinds, provinces, bins, ...rest }: Tables): Counts => ({
  ...rest,
  kinds: tallyOf(kinds),
  provinces: tallyOf(provinces),
  bins: tallyOf(bins),
})

/**
 * Counts the inputs of all facets in one pass over the tab's contiguous facts. Ten passes over ten columns took 3 ms;
 * one pass takes 1.4 ms. `step` -1 subtracts these matches from the counts.
 */
async function count(tables: Tables, question: Question, places: Int32Array, step: 1 | -1): Promise<void> {
  for (let from = 0; from < places.length; from += MATCHES_A_TURN) {
    if (from > 0) await yieldToEventLoop()
    countSome(tables, question, places.subarray(from, from + MATCHES_A_TURN), step)
  }
}

function countSome(tables: Tables, { columns, changes, tab, today: day }: Question, places: Int32Array, step: 1 | -1) {
  const facts = factsOf(tab, columns)
  const today = packedDay(day)
  const [first, last] = [today + FIRST_DAY, today + LAST_DAY]
  const { kinds, provinces, bins, changes: ofChange, bids, due, days } = tables
  const countDay = (counts: Uint32Array, at: number) => {
    if (at >= first && at <= last) counts[at - first]! += step
  }
  for (let i = 0; i < places.length; i += 1) {
    const place = places[i]!
    const at = place * FACTS_A_ROW
    const kind = facts[at + FACT.kind]!
    const both = facts[at + FACT.provincesAndBins]!
    const ends = facts[at + FACT.submissionEndsOn]!
    kinds[kind]! += step
    provinces[both >>> BINS_BITS]! += step
    bins[both & BINS_MASK]! += step
    ofChange[changes[place]!]! += step
    countDay(days.draftPublishedOn, facts[at + FACT.draftPublishedOn]!)
    const discussionEndsOn = facts[at + FACT.discussionEndsOn]!
    countDay(days.discussionEndsOn, discussionEndsOn)
    countDay(days.invitedOn, facts[at + FACT.invitedOn]!)
    countDay(days.submissionEndsOn, ends)
    countDay(days.announcedOn, facts[at + FACT.announcedOn]!)
    bids[bidStateIndex(columns.kinds, kind, ends, today)]! += step
    const near = dueKindIn(columns.kinds, { kind, submissionEndsOn: ends, discussionEndsOn }, today)
    if (near) due[DUE_KINDS.indexOf(near)]! += step
  }
}

export async function countFacts(question: Question, places: Int32Array): Promise<Counts> {
  const tables = emptyTables(question.columns)
  await count(tables, question, places, 1)
  return countsOf(tables)
}

function countAgain(tables: Tables, counts: Counts, step: 1 | -1): void {
  for (const name of ['kinds', 'provinces', 'bins'] as const) {
    const table = tables[name]
    eachOf(counts[name], (value, n) => {
      table[value]! += step * n
    })
  }
  const addAll = (table: Uint32Array, more: Uint32Array) => {
    for (let at = 0; at < table.length; at += 1) table[at]! += step * more[at]!
  }
  addAll(tables.changes, counts.changes)
  addAll(tables.bids, counts.bids)
  addAll(tables.due, counts.due)
  for (const name of Object.keys(tables.days) as CountedDay[]) addAll(tables.days[name], counts.days[name])
}

export async function countRest(
  question: Question,
  whole: Counts,
  parts: readonly Counts[],
  places: Int32Array,
): Promise<Counts> {
  const tables = emptyTables(question.columns)
  countAgain(tables, whole, 1)
  for (const part of parts) countAgain(tables, part, -1)
  await count(tables, question, places, -1)
  return countsOf(tables)
}

/** Tabs are rebuilt for each snapshot, except the tab of all projects, which survives a day change; hence `today`. */
const wholes = new WeakMap<MatchTab, { readonly today: string; readonly counts: Counts }>()

/** Counts of the whole tab for the query's day; undefined for a small tab, where counting is cheap. */
export async function countWhole(question: Question): Promise<Counts | undefined> {
  const { tab, today } = question
  if (!isLarge(tab)) return undefined
  const known = wholes.get(tab)
  if (known?.today === today) return known.counts
  const counts = await countFacts(
    question,
    tab.rows.map((_, place) => place),
  )
  wholes.set(tab, { today, counts })
  const { kinds, provinces, bins } = counts
  noteKept(
    tab,
    [kinds, provinces, bins].reduce((sum, { values }) => sum + values.byteLength * 2, 0),
  )
  return counts
}
