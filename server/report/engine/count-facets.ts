import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { createRecord } from '#contract/create-record.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ReportFilterName } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  type CountedDayFact,
  type CountedMoneyFact,
  MONEY_BIN_COUNT,
  MONEY_BIN_SHIFTS,
  PROVINCE_CODES,
  PROVINCE_SHIFTS,
  toPackedDay,
} from '#server/report/packed-row.ts'
import {
  COUNTED_DAYS,
  COUNTED_PROVINCES,
  type CountedProvince,
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
  FAILS_SEVERAL,
  type FailedFilterConditions,
  type InMemoryReportQuery,
} from './in-memory-report-query.ts'
import {
  COUNTED_DAY_FACTS,
  COUNTED_MONEY_FACTS,
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
const MONEY_BINS = 32

/** Counts of some matches by fact, in small tables that stay in the CPU cache. */
type FactCounts = {
  /** By number of `ProjectColumns.kinds`. */
  readonly kinds: Uint32Array
  readonly provinces: Readonly<Record<CountedProvince, Uint32Array>>
  readonly bins: Readonly<Record<CountedMoneyFact, Uint32Array>>
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

const emptyCounts = ({ kinds }: ProjectColumns): FactCounts => ({
  kinds: new Uint32Array(kinds.size),
  provinces: createRecord(COUNTED_PROVINCES, () => new Uint32Array(PROVINCE_CODES)),
  bins: createRecord(COUNTED_MONEY_FACTS, () => new Uint32Array(MONEY_BINS)),
  changes: new Uint32Array(4),
  bids: new Uint32Array(BID_STATES.length),
  due: new Uint32Array(NEAR_DEADLINE_KINDS.length),
  eligibility: new Uint32Array(ELIGIBILITY_VERDICTS.length),
  days: createRecord(COUNTED_DAY_FACTS, () => new Uint32Array(COUNTED_DAYS)),
})

const tablesOf = ({ provinces, bins, days, ...others }: FactCounts): Uint32Array[] => [
  ...Object.values(others),
  ...Object.values(provinces),
  ...Object.values(bins),
  ...Object.values(days),
]

/**
 * Counts the inputs of all facets in one pass over the tab's contiguous facts, which takes 1.4 ms; ten passes over ten
 * columns took 3 ms. With `sign` -1, subtracts these matches from the counts.
 */
async function addCounts(
  counts: FactCounts,
  query: InMemoryReportQuery,
  positions: Int32Array,
  sign: 1 | -1,
): Promise<void> {
  for (let from = 0; from < positions.length; from += MATCHES_PER_SLICE) {
    if (from > 0) await yieldToEventLoop()
    addSliceCounts(counts, query, positions.subarray(from, from + MATCHES_PER_SLICE), sign)
  }
}

function addSliceCounts(
  counts: FactCounts,
  { columns, changes, tab, today: day, eligibility: table }: InMemoryReportQuery,
  positions: Int32Array,
  sign: 1 | -1,
) {
  const facts = getReportTabPackedProjects(tab, columns)
  const verdicts = table && getEligibilityVerdicts(tab, columns, table)
  const today = toPackedDay(day)
  const [first, last] = [today + FIRST_DATE_PRESET_DAY, today + LAST_DATE_PRESET_DAY]
  const { kinds, provinces, bins, changes: ofChange, bids, due, eligibility, days } = counts
  const countDay = (dayCounts: Uint32Array, at: number) => {
    if (at >= first && at <= last) dayCounts[at - first]! += sign
  }
  for (let i = 0; i < positions.length; i += 1) {
    const position = positions[i]!
    const at = position * PACKED_NUMBERS_PER_PROJECT
    const kind = facts[at + PACKED_PROJECT_OFFSETS.kind]!
    const provincesAndBins = facts[at + PACKED_PROJECT_OFFSETS.provincesAndBins]!
    const ends = facts[at + PACKED_PROJECT_OFFSETS.submission_end_date]!
    kinds[kind]! += sign
    const ofProject = provincesAndBins >>> (MONEY_BIN_BIT_WIDTH + PROVINCE_SHIFTS.project_province)
    const ofDepartment = (provincesAndBins >>> MONEY_BIN_BIT_WIDTH) & (PROVINCE_CODES - 1)
    provinces.project_province[ofProject]! += sign
    provinces.dept_province[ofDepartment]! += sign
    provinces.either[ofProject || ofDepartment]! += sign
    bins.budget[(provincesAndBins >>> MONEY_BIN_SHIFTS.budget) & (MONEY_BINS - 1)]! += sign
    bins.estimate_budget[(provincesAndBins >>> MONEY_BIN_SHIFTS.estimate_budget) & (MONEY_BINS - 1)]! += sign
    bins.winner_budget[(provincesAndBins >>> MONEY_BIN_SHIFTS.winner_budget) & (MONEY_BINS - 1)]! += sign
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
  const counts = emptyCounts(query.columns)
  await addCounts(counts, query, positions, 1)
  return counts
}

/** Adds a table that may be shorter: a cached one lacks the kinds that a load has added since. */
function addTable(table: Uint32Array, addend: Uint32Array, sign: 1 | -1): void {
  for (let at = 0; at < addend.length; at += 1) table[at]! += sign * addend[at]!
}

function addCachedCounts(counts: FactCounts, addend: FactCounts, sign: 1 | -1): void {
  const addends = tablesOf(addend)
  for (const [i, table] of tablesOf(counts).entries()) addTable(table, addends[i]!, sign)
}

async function countProjectFacetsBySubtraction(
  query: InMemoryReportQuery,
  wholeTabCounts: FactCounts,
  parts: readonly FactCounts[],
  positions: Int32Array,
): Promise<FactCounts> {
  const counts = emptyCounts(query.columns)
  addCachedCounts(counts, wholeTabCounts, 1)
  for (const part of parts) addCachedCounts(counts, part, -1)
  await addCounts(counts, query, positions, -1)
  return counts
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
  if (!cached)
    recordReportTabCacheBytes(
      tab,
      tablesOf(counts).reduce((sum, { byteLength }) => sum + byteLength, 0),
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
  { failed, names, passing, countMatches, listPositions }: FailedFilterConditions,
  counted: ReadonlySet<ReportFilterName>,
): Promise<SetCounts> {
  const failures = [0, ...names.flatMap((name, i) => (counted.has(name) ? [i + 1] : []))]
  const largest = failures.find((failure) => countMatches([failure]) * 2 > failed.length)
  const wholeTabCounts = largest === undefined ? undefined : await countReportTabProjectFacets(query)
  const counts = new Map<number, FactCounts>()
  for (const failure of failures)
    if (!wholeTabCounts || failure !== largest)
      counts.set(failure, await countProjectFacets(query, failure === 0 ? passing : listPositions([failure])))
  if (wholeTabCounts && largest !== undefined) {
    const others = [FAILS_SEVERAL, ...names.map((_, i) => i + 1)].filter((failure) => !failures.includes(failure))
    counts.set(
      largest,
      await countProjectFacetsBySubtraction(query, wholeTabCounts, [...counts.values()], listPositions(others)),
    )
  }
  return {
    ofAll: counts.get(0)!,
    ofOne: new Map(failures.slice(1).map((failure) => [names[failure - 1]!, counts.get(failure)!])),
  }
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
  const { names, passing, countMatches } = failed
  const { ofAll, ofOne } = await countSets(query, failed, filters.columnFacetNames)
  const parts = (...failing: ReportFilterName[]) =>
    [ofAll, ...failing.map((name) => ofOne.get(name))].filter((part) => part !== undefined)
  const dueOf = (kind: NearDeadlineKind) =>
    parts(...filters.deadlineFilters[kind]).reduce((sum, { due }) => sum + due[NEAR_DEADLINE_KINDS.indexOf(kind)]!, 0)
  return {
    ...filters.countColumnFacets((name) => createFactCounter(parts(name), query)),
    due: { closing: dueOf('closing'), comment: dueOf('comment') },
    passingBut: filters.countPassingBut((name) =>
      names.includes(name) ? countMatches([0, names.indexOf(name) + 1]) : passing.length,
    ),
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
      for (const { kinds } of parts)
        for (let kind = 0; kind < kinds.length; kind += 1) counts[valueOfKind[kind]!]! += kinds[kind]!
      return values.map((value, i) => [value, counts[i]!] as const)
    },
    countFlag(fact) {
      const isSet = combinations.flags[fact]
      let total = 0
      for (const { kinds } of parts)
        for (let kind = 0; kind < kinds.length; kind += 1) total += isSet[kind]! * kinds[kind]!
      return total
    },
    countProvinces: (fact) => sum(parts.map(({ provinces }) => provinces[fact])),
    countMoneyBins: (fact) => [...sum(parts.map(({ bins }) => bins[fact].subarray(0, MONEY_BIN_COUNT)))],
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
