import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { createRecord } from '#contract/create-record.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ReportFilterName } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { type CountedDayFact, MONEY_BIN_COUNT, MONEY_BIN_SHIFTS, toPackedDay } from '#server/report/packed-row.ts'
import {
  COUNTED_DAYS,
  type FacetCounts,
  type FactCounter,
  FIRST_DATE_PRESET_DAY,
  LAST_DATE_PRESET_DAY,
  type ReportFilterSet,
} from '#server/report/report-filter.ts'
import type { MarkFacetCounts } from '#server/report/report-queries.ts'
import {
  computeFailedFilterConditions,
  countMarkedProjectMatches,
  type FailedFilterConditions,
  type InMemoryReportQuery,
} from './in-memory-report-query.ts'
import {
  COUNTED_DAY_FACTS,
  MONEY_BIN_BIT_WIDTH,
  PACKED_NUMBERS_PER_PROJECT,
  PACKED_PROJECT_OFFSETS,
  type ProjectColumns,
} from './project-columns.ts'
import {
  getBidStateIndex,
  getEligibilityVerdicts,
  getPackedNearDeadlineKind,
  getReportTabPackedProjects,
  type ReportTabMatches,
  recordReportTabCacheBytes,
} from './report-tab.ts'

/** Number of rows from which a tab caches its total counts. Counting 650,000 rows takes 15 ms, subtracting a few 3 ms. */
const LARGE_TAB_ROWS = 50_000
/** Matches counted before yielding to the event loop: 2 to 4 ms of work. */
const MATCHES_PER_SLICE = 200_000
const BINS_MASK = 2 ** MONEY_BIN_BIT_WIDTH - 1

/**
 * Pool of zeroed count tables by length. Each query needs three tables of 32,000 numbers. Allocating them cost 30 MB/s
 * at 100 queries/s, outside the heap, where little memory is returned to the system.
 */
const tablePool = new Map<number, Uint32Array[]>()
const MIN_TABLE_LENGTH = 1 << 14
const BYTES_PER_TALLY_ENTRY = 24

/**
 * Takes a table for values below `valueCount` from the pool. `tallyOf` returns the table to the pool; if it is not
 * called, the table is garbage-collected.
 */
function takeTable(valueCount: number): Uint32Array {
  const length = Math.max(MIN_TABLE_LENGTH, 2 ** Math.ceil(Math.log2(valueCount)))
  return tablePool.get(length)?.pop() ?? new Uint32Array(length)
}

/** Counts by value. Columns have up to 32,000 values but the matches of a query have few, so facets iterate only these. */
type Tally = ReadonlyMap<number, number>

function tallyOf(table: Uint32Array): Tally {
  const tally = new Map<number, number>()
  for (let value = 0; value < table.length; value += 1) {
    if (table[value] === 0) continue
    tally.set(value, table[value]!)
    table[value] = 0
  }
  const pooled = tablePool.get(table.length)
  if (pooled) pooled.push(table)
  else tablePool.set(table.length, [table])
  return tally
}

/** Counts of some matches: a table per fact, or the tally of a large one. */
type FactTables<Counts> = {
  readonly kinds: Counts
  readonly provinces: Counts
  readonly bins: Counts
  readonly changes: Uint32Array
  readonly bids: Uint32Array
  readonly due: Uint32Array
  /** By index into `ELIGIBILITY_VERDICTS`. */
  readonly eligibility: Uint32Array
  /**
   * Counts by day. Index 0 is `FIRST_DATE_PRESET_DAY` relative to the query's day; the last index is
   * `LAST_DATE_PRESET_DAY`.
   */
  readonly days: Readonly<Record<CountedDayFact, Uint32Array>>
}

type CountTables = FactTables<Uint32Array>
type FactCounts = FactTables<Tally>

const emptyTables = ({ kinds }: ProjectColumns): CountTables => ({
  kinds: takeTable(kinds.size),
  provinces: takeTable(1 << 14),
  bins: takeTable(1 << MONEY_BIN_BIT_WIDTH),
  changes: new Uint32Array(4),
  bids: new Uint32Array(BID_STATES.length),
  due: new Uint32Array(NEAR_DEADLINE_KINDS.length),
  eligibility: new Uint32Array(ELIGIBILITY_VERDICTS.length),
  days: createRecord(COUNTED_DAY_FACTS, () => new Uint32Array(COUNTED_DAYS)),
})

const countsOf = ({ kinds, provinces, bins, ...rest }: CountTables): FactCounts => ({
  ...rest,
  kinds: tallyOf(kinds),
  provinces: tallyOf(provinces),
  bins: tallyOf(bins),
})

/**
 * Counts the inputs of all facets in one pass over the tab's contiguous facts, which takes 1.4 ms; ten passes over ten
 * columns took 3 ms. With `sign` -1, subtracts these matches from the counts.
 */
async function addCounts(
  tables: CountTables,
  query: InMemoryReportQuery,
  positions: Int32Array,
  sign: 1 | -1,
): Promise<void> {
  for (let from = 0; from < positions.length; from += MATCHES_PER_SLICE) {
    if (from > 0) await yieldToEventLoop()
    addSliceCounts(tables, query, positions.subarray(from, from + MATCHES_PER_SLICE), sign)
  }
}

function addSliceCounts(
  tables: CountTables,
  { columns, changes, tab, today: day, eligibility: table }: InMemoryReportQuery,
  positions: Int32Array,
  sign: 1 | -1,
) {
  const facts = getReportTabPackedProjects(tab, columns)
  const verdicts = table && getEligibilityVerdicts(tab, columns, table)
  const today = toPackedDay(day)
  const [first, last] = [today + FIRST_DATE_PRESET_DAY, today + LAST_DATE_PRESET_DAY]
  const { kinds, provinces, bins, changes: ofChange, bids, due, eligibility, days } = tables
  const countDay = (counts: Uint32Array, at: number) => {
    if (at >= first && at <= last) counts[at - first]! += sign
  }
  for (let i = 0; i < positions.length; i += 1) {
    const position = positions[i]!
    const at = position * PACKED_NUMBERS_PER_PROJECT
    const kind = facts[at + PACKED_PROJECT_OFFSETS.kind]!
    const provincesAndBins = facts[at + PACKED_PROJECT_OFFSETS.provincesAndBins]!
    const ends = facts[at + PACKED_PROJECT_OFFSETS.submission_end_date]!
    kinds[kind]! += sign
    provinces[provincesAndBins >>> MONEY_BIN_BIT_WIDTH]! += sign
    bins[provincesAndBins & BINS_MASK]! += sign
    ofChange[changes[position]!]! += sign
    if (verdicts) eligibility[verdicts[position]!]! += sign
    const discussionEndsOn = facts[at + PACKED_PROJECT_OFFSETS.draft_discussion_end_date]!
    // A loop over the days took twice as long.
    countDay(days.draft_published_date, facts[at + PACKED_PROJECT_OFFSETS.draft_published_date]!)
    countDay(days.draft_discussion_end_date, discussionEndsOn)
    countDay(days.bidding_invite_date, facts[at + PACKED_PROJECT_OFFSETS.bidding_invite_date]!)
    countDay(days.submission_end_date, ends)
    countDay(days.winner_announce_date, facts[at + PACKED_PROJECT_OFFSETS.winner_announce_date]!)
    bids[getBidStateIndex(columns.kinds, kind, ends, today)]! += sign
    const near = getPackedNearDeadlineKind(columns.kinds, { kind, submissionEndsOn: ends, discussionEndsOn }, today)
    if (near) due[NEAR_DEADLINE_KINDS.indexOf(near)]! += sign
  }
}

async function countProjectFacets(query: InMemoryReportQuery, positions: Int32Array): Promise<FactCounts> {
  const tables = emptyTables(query.columns)
  await addCounts(tables, query, positions, 1)
  return countsOf(tables)
}

function addCachedCounts(tables: CountTables, counts: FactCounts, sign: 1 | -1): void {
  for (const name of ['kinds', 'provinces', 'bins'] as const) {
    const table = tables[name]
    for (const [value, count] of counts[name]) table[value]! += sign * count
  }
  const addAll = (table: Uint32Array, addend: Uint32Array) => {
    for (let at = 0; at < table.length; at += 1) table[at]! += sign * addend[at]!
  }
  addAll(tables.changes, counts.changes)
  addAll(tables.bids, counts.bids)
  addAll(tables.due, counts.due)
  addAll(tables.eligibility, counts.eligibility)
  for (const name of COUNTED_DAY_FACTS) addAll(tables.days[name], counts.days[name])
}

async function countProjectFacetsBySubtraction(
  query: InMemoryReportQuery,
  wholeTabCounts: FactCounts,
  parts: readonly FactCounts[],
  positions: Int32Array,
): Promise<FactCounts> {
  const tables = emptyTables(query.columns)
  addCachedCounts(tables, wholeTabCounts, 1)
  for (const part of parts) addCachedCounts(tables, part, -1)
  await addCounts(tables, query, positions, -1)
  return countsOf(tables)
}

/**
 * Counts of the tab of all projects. Keyed also by `today`, because that tab survives a day change, and by the bidder's
 * qualifications; other tabs are rebuilt for each snapshot.
 */
type WholeTabCounts = Pick<InMemoryReportQuery, 'today' | 'eligibility'> & { readonly counts: FactCounts }
const wholeTabCache = new WeakMap<ReportTabMatches, WholeTabCounts>()

async function countReportTabProjectFacets(query: InMemoryReportQuery): Promise<FactCounts | undefined> {
  const { tab, today, eligibility } = query
  if (tab.rows.length < LARGE_TAB_ROWS) return undefined
  const cached = wholeTabCache.get(tab)
  if (cached?.today === today && cached.eligibility === eligibility) return cached.counts
  const counts = await countProjectFacets(
    query,
    tab.rows.map((_, position) => position),
  )
  wholeTabCache.set(tab, { today, eligibility, counts })
  const { kinds, provinces, bins } = counts
  recordReportTabCacheBytes(
    tab,
    [kinds, provinces, bins].reduce((sum, { size }) => sum + size * BYTES_PER_TALLY_ENTRY, 0),
  )
  return counts
}

type SetCounts = { readonly ofAll: FactCounts; readonly ofOne: ReadonlyMap<ReportFilterName, FactCounts> }

/**
 * Counts the passing matches and, per filter in `counted`, those that fail only it. In a large tab, the largest
 * set is computed by subtracting the others from the cached counts of the whole tab: without filters nothing is
 * scanned, with one filter only the smaller set.
 */
async function countSets(
  query: InMemoryReportQuery,
  { failed, isOut, names, passing, failingOnly }: FailedFilterConditions,
  counted: ReadonlySet<ReportFilterName>,
): Promise<SetCounts> {
  const sets = [
    { number: 0, positions: passing },
    ...failingOnly.map((positions, i) => ({ number: i + 1, positions })).filter((_, i) => counted.has(names[i]!)),
  ]
  const largest = sets.reduce((largestSoFar, set) =>
    set.positions.length > largestSoFar.positions.length ? set : largestSoFar,
  )
  const wholeTabCounts =
    largest.positions.length * 2 > failed.length ? await countReportTabProjectFacets(query) : undefined
  const counts = new Map<number, FactCounts>()
  for (const { number, positions } of sets)
    if (!wholeTabCounts || number !== largest.number) counts.set(number, await countProjectFacets(query, positions))
  if (wholeTabCounts) {
    const isInSet = Uint8Array.from({ length: 256 }, (_, number) => Number(sets.some((set) => set.number === number)))
    const remainingPositions = positionsWhere(
      failed.length,
      (position) => isOut[position] === 1 || isInSet[failed[position]!] === 0,
    )
    counts.set(
      largest.number,
      await countProjectFacetsBySubtraction(query, wholeTabCounts, [...counts.values()], remainingPositions),
    )
  }
  return {
    ofAll: counts.get(0)!,
    ofOne: new Map(sets.slice(1).map(({ number }) => [names[number - 1]!, counts.get(number)!])),
  }
}

function positionsWhere(length: number, test: (position: number) => boolean): Int32Array {
  const positions = new Int32Array(length)
  let size = 0
  for (let position = 0; position < length; position += 1) if (test(position)) positions[size++] = position
  return positions.subarray(0, size)
}

/**
 * Counts every facet: a match that passes all filters counts in every facet, a match that fails one filter only in that
 * filter's facet. Same result as `countFacets`.
 */
export async function countMatchFacets(
  query: InMemoryReportQuery,
  failed: FailedFilterConditions,
  filters: ReportFilterSet,
): Promise<FacetCounts> {
  const { names, passing, failingOnly } = failed
  const { ofAll, ofOne } = await countSets(query, failed, filters.columnFacetNames)
  const parts = (...failing: ReportFilterName[]) =>
    [ofAll, ...failing.map((name) => ofOne.get(name))].filter((part) => part !== undefined)
  const dueOf = (kind: NearDeadlineKind) =>
    parts(...filters.deadlineFilters[kind]).reduce((sum, { due }) => sum + due[NEAR_DEADLINE_KINDS.indexOf(kind)]!, 0)
  return {
    ...filters.countColumnFacets((name) => createFactCounter(parts(name), query)),
    due: { closing: dueOf('closing'), comment: dueOf('comment') },
    passingBut: filters.countPassingBut((name) => passing.length + (failingOnly[names.indexOf(name)]?.length ?? 0)),
  }
}

function createFactCounter(
  parts: readonly FactCounts[],
  { columns: { kinds: combinations }, packageProvinces }: InMemoryReportQuery,
): FactCounter {
  const sum = (tables: readonly Uint32Array[]) =>
    tables.reduce((total, table) => total.map((count, at) => count + table[at]!))
  return {
    packageProvinces,
    countValues(fact) {
      const values = combinations.values[fact]
      const valueOfKind = combinations.valueOf[fact]
      const counts = new Uint32Array(values.length)
      for (const { kinds } of parts) for (const [kind, count] of kinds) counts[valueOfKind[kind]!]! += count
      return values.map((value, i) => [value, counts[i]!] as const)
    },
    countFlag(fact) {
      const isSet = combinations.flags[fact]
      let total = 0
      for (const { kinds } of parts) for (const [kind, count] of kinds) total += isSet[kind]! * count
      return total
    },
    countProvincePairs: () => parts.flatMap(({ provinces }) => [...provinces]),
    countMoneyBins(fact) {
      const counts = Array.from({ length: MONEY_BIN_COUNT }, () => 0)
      for (const { bins } of parts)
        for (const [packedBins, count] of bins) {
          const bin = (packedBins >> MONEY_BIN_SHIFTS[fact]) & 31
          if (bin < MONEY_BIN_COUNT) counts[bin]! += count
        }
      return counts
    },
    countDays: (fact) => sum(parts.map(({ days }) => days[fact])),
    countBidStates: () => parts.flatMap(({ bids }) => BID_STATES.map(({ code }, i) => [code, bids[i]!] as const)),
    countChanges: () => sum(parts.map(({ changes }) => changes)),
    countEligibility: () => sum(parts.map(({ eligibility }) => eligibility)),
  }
}

export async function countMarkFacets(
  query: InMemoryReportQuery,
  failed: FailedFilterConditions,
  endingQuery: InMemoryReportQuery,
  filters: ReportFilterSet,
): Promise<MarkFacetCounts['marks']> {
  const daysUntilContractEnds = await listDaysUntilContractEnds(endingQuery, filters)
  return Object.fromEntries(
    filters.markFacets.map(({ name, facet }) => {
      const countPassing = (positions: Int32Array, { withHidden = false } = {}) =>
        countMarkedProjectMatches(failed, positions, name, withHidden)
      return [name, facet.count({ matches: query, countPassing, daysUntilContractEnds })] as const
    }),
  )
}

/** `query` covers the matches of both tabs whose contracts end soon. */
async function listDaysUntilContractEnds(query: InMemoryReportQuery, filters: ReportFilterSet): Promise<number[]> {
  const { passing } = await computeFailedFilterConditions(query, filters)
  const { search, tab, columns } = query
  const { contractEnds, kind, kinds } = columns
  const today = toPackedDay(query.today)
  return Array.from(passing, (position) => tab.rows[position]!)
    .filter((row) => !search.is_archived || kinds.flags.is_archived[kind[row]!] === 1)
    .map((row) => contractEnds.nextOf(row, today) - today)
}
