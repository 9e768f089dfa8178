import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { createRecord } from '#contract/create-record.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ReportFilterName } from '#contract/report/report-params.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  type CountedDayFact,
  MONEY_BIN_COUNT,
  MONEY_BIN_SHIFTS,
  PROVINCE_PAIRS,
  toPackedDay,
} from '#server/report/packed-row.ts'
import {
  COUNTED_DAYS,
  type FacetCounts,
  type FactCounter,
  FIRST_DATE_PRESET_DAY,
  LAST_DATE_PRESET_DAY,
  type MarkFacetCounts,
  type ReportFilterSet,
} from '#server/report/report-queries.ts'
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
} from './report-tab.ts'

/** Matches counted before yielding to the event loop: 2 to 4 ms of work. */
const MATCHES_PER_SLICE = 200_000
const BINS_MASK = 2 ** MONEY_BIN_BIT_WIDTH - 1

/** Counts of some matches, by number. */
type FactCounts = {
  /** By number of the combination of field values. */
  readonly kinds: Uint32Array
  /** By project province << 7 | department province. */
  readonly provinces: Uint32Array
  readonly bins: Uint32Array
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

const createCounts = ({ kinds }: ProjectColumns): FactCounts => ({
  kinds: new Uint32Array(kinds.size),
  provinces: new Uint32Array(PROVINCE_PAIRS),
  bins: new Uint32Array(1 << MONEY_BIN_BIT_WIDTH),
  changes: new Uint32Array(4),
  bids: new Uint32Array(BID_STATES.length),
  due: new Uint32Array(NEAR_DEADLINE_KINDS.length),
  eligibility: new Uint32Array(ELIGIBILITY_VERDICTS.length),
  days: createRecord(COUNTED_DAY_FACTS, () => new Uint32Array(COUNTED_DAYS)),
})

/**
 * Counts the inputs of all facets in one pass over the tab's contiguous facts, which takes 1.4 ms; ten passes over ten
 * columns took 3 ms.
 */
async function countProjectFacts(query: InMemoryReportQuery, positions: Int32Array): Promise<FactCounts> {
  const counts = createCounts(query.columns)
  for (let from = 0; from < positions.length; from += MATCHES_PER_SLICE) {
    if (from > 0) await yieldToEventLoop()
    addCounts(counts, query, positions.subarray(from, from + MATCHES_PER_SLICE))
  }
  return counts
}

function addCounts(
  counts: FactCounts,
  { columns, changes, tab, today: day, eligibility: table }: InMemoryReportQuery,
  positions: Int32Array,
): void {
  const facts = getReportTabPackedProjects(tab, columns)
  const verdicts = table && getEligibilityVerdicts(tab, columns, table)
  const today = toPackedDay(day)
  const [first, last] = [today + FIRST_DATE_PRESET_DAY, today + LAST_DATE_PRESET_DAY]
  const { kinds, provinces, bins, changes: ofChange, bids, due, eligibility, days } = counts
  const countDay = (ofDay: Uint32Array, at: number) => {
    if (at >= first && at <= last) ofDay[at - first]! += 1
  }
  for (let i = 0; i < positions.length; i += 1) {
    const position = positions[i]!
    const at = position * PACKED_NUMBERS_PER_PROJECT
    const kind = facts[at + PACKED_PROJECT_OFFSETS.kind]!
    const provincesAndBins = facts[at + PACKED_PROJECT_OFFSETS.provincesAndBins]!
    const ends = facts[at + PACKED_PROJECT_OFFSETS.submission_end_date]!
    kinds[kind]! += 1
    provinces[provincesAndBins >>> MONEY_BIN_BIT_WIDTH]! += 1
    bins[provincesAndBins & BINS_MASK]! += 1
    ofChange[changes[position]!]! += 1
    if (verdicts) eligibility[verdicts[position]!]! += 1
    const discussionEndsOn = facts[at + PACKED_PROJECT_OFFSETS.draft_discussion_end_date]!
    // A loop over the days took twice as long.
    countDay(days.draft_published_date, facts[at + PACKED_PROJECT_OFFSETS.draft_published_date]!)
    countDay(days.draft_discussion_end_date, discussionEndsOn)
    countDay(days.bidding_invite_date, facts[at + PACKED_PROJECT_OFFSETS.bidding_invite_date]!)
    countDay(days.submission_end_date, ends)
    countDay(days.winner_announce_date, facts[at + PACKED_PROJECT_OFFSETS.winner_announce_date]!)
    bids[getBidStateIndex(columns.kinds, kind, ends, today)]! += 1
    const near = getPackedNearDeadlineKind(columns.kinds, { kind, submissionEndsOn: ends, discussionEndsOn }, today)
    if (near) due[NEAR_DEADLINE_KINDS.indexOf(near)]! += 1
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
  const { names, passing, failingOnly } = failed
  const passingCounts = await countProjectFacts(query, passing)
  const failingCounts = new Map<ReportFilterName, FactCounts>()
  for (const [i, name] of names.entries())
    if (filters.columnFacetNames.has(name)) failingCounts.set(name, await countProjectFacts(query, failingOnly[i]!))
  const parts = (...failing: ReportFilterName[]) =>
    [passingCounts, ...failing.map((name) => failingCounts.get(name))].filter((part) => part !== undefined)
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
      for (const { kinds } of parts) for (const [kind, count] of kinds.entries()) counts[valueOfKind[kind]!]! += count
      return values.map((value, i) => [value, counts[i]!] as const)
    },
    countFlag(fact) {
      const isSet = combinations.flags[fact]
      let total = 0
      for (const { kinds } of parts) for (const [kind, count] of kinds.entries()) total += isSet[kind]! * count
      return total
    },
    countProvincePairs: () => sum(parts.map(({ provinces }) => provinces)).entries(),
    countMoneyBins(fact) {
      const counts = Array.from({ length: MONEY_BIN_COUNT }, () => 0)
      for (const { bins } of parts)
        for (const [packedBins, count] of bins.entries()) {
          if (count === 0) continue
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
