import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { createRecord } from '#contract/create-record.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import { type CountedDayFact, MONEY_BIN_SHIFTS, PROVINCE_PAIRS } from '#server/matching/packed-row.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type { SemanticSearchCandidateFinder } from '#server/report/deep/run-deep-search.ts'
import {
  getSemanticSearchHits,
  type SemanticSearchHits,
  type SemanticSearchResults,
} from '#server/report/deep/semantic-search-hits.ts'
import type { EligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import {
  COUNTED_DAYS,
  type FacetCounts,
  type FactCounter,
  FIRST_DATE_PRESET_DAY,
  type FitRanking,
  LAST_DATE_PRESET_DAY,
  type MarkedProjectPositions,
  type MarkFacetCounts,
  MONEY_BIN_COUNT,
  type PreviousReportVisit,
  type ReportFilterSet,
  type ReportMatches,
  type ReportScope,
} from '#server/report/report-queries.ts'
import {
  COUNTED_DAY_FACTS,
  MONEY_BIN_BIT_WIDTH,
  PACKED_NUMBERS_PER_PROJECT,
  PACKED_PROJECT_OFFSETS,
  type ProjectColumns,
  UNKNOWN_DAY_NUMBER,
} from './project-columns.ts'
import {
  type CachedProjects,
  type CachedReportTabMatches,
  findProjectPosition,
  flagMatchesChangedSinceReportVisit,
  getBidStateAtRow,
  getBidStateIndex,
  getEligibilityVerdicts,
  getPackedNearDeadlineKind,
  getReportTabPackedProjects,
  type ReportTabMatches,
  type TextSearch,
} from './report-tab.ts'

type MatchFlags = Pick<ReportMatches, Extract<keyof ReportMatches, `flag${string}`>>

export type InMemoryReportQuery = ReportMatches & {
  readonly search: ReportSearch
  readonly visit: PreviousReportVisit | undefined
  readonly columns: ProjectColumns
  readonly words: TextSearch
  readonly tab: ReportTabMatches
  readonly deepMatches: SemanticSearchMatches | undefined
  /** Set if the search filters by eligibility or facets are counted; `fit` if the search is ordered by fit. */
  readonly eligibility: EligibilityTable | undefined
  readonly fit: FitRanking | undefined
}

type ReportQueryData = Omit<InMemoryReportQuery, keyof MatchFlags>

export const withMatchFlags = (data: ReportQueryData): InMemoryReportQuery => ({ ...data, ...createMatchFlags(data) })

type QueryParts = {
  readonly projects: CachedProjects
  readonly cachedTab: CachedReportTabMatches
  readonly positions: MarkedProjectPositions
  readonly pursued: ReportMatches['pursued']
  readonly resolved: Pick<ReportScope, 'documents' | 'deep' | 'packageProvinces' | 'eligibility' | 'fit'>
}

export function toInMemoryReportQuery(
  search: ReportSearch,
  { today, visit }: ReportScope,
  { projects: { columns, words }, cachedTab: { tab, changes }, positions, pursued, resolved }: QueryParts,
): InMemoryReportQuery {
  const { documents, deep, eligibility, fit, packageProvinces = new Set() } = resolved
  const deepMatches = findSemanticSearchMatches(search, deep, { columns, tab })
  return withMatchFlags({
    search,
    today,
    visit,
    columns,
    words,
    tab,
    changes,
    pursued,
    documents,
    deepMatches,
    packageProvinces,
    eligibility,
    fit,
    ...positions,
  })
}

function createMatchFlags(data: ReportQueryData): MatchFlags {
  const { tab, columns, words } = data
  const { rows } = tab
  const { kinds } = columns

  function byFact(offset: number, test: (fact: number) => boolean): Uint8Array {
    const facts = getReportTabPackedProjects(tab, columns)
    const passing = new Uint8Array(rows.length)
    for (let position = 0, at = offset; position < passing.length; position += 1, at += PACKED_NUMBERS_PER_PROJECT)
      if (test(facts[at]!)) passing[position] = 1
    return passing
  }

  /** `isPassing` has one entry per number of `columns.kinds`. */
  const byKind = (isPassing: Uint8Array) => byFact(PACKED_PROJECT_OFFSETS.kind, (kind) => isPassing[kind] === 1)

  function byRow(test: (row: number) => boolean): Uint8Array {
    const passing = new Uint8Array(rows.length)
    for (let at = 0; at < rows.length; at += 1) if (test(rows[at]!)) passing[at] = 1
    return passing
  }

  return {
    flagByValue(fact, test) {
      const isPassing = kinds.values[fact].map((value) => Number(test(value)))
      return byKind(Uint8Array.from(kinds.valueOf[fact], (value) => isPassing[value]!))
    },

    flagByFlag: (fact) => byKind(kinds.flags[fact]),

    flagByProvinces: (test) =>
      byFact(PACKED_PROJECT_OFFSETS.provincesAndBins, (fact) => test(fact >>> MONEY_BIN_BIT_WIDTH)),

    flagByMoney(fact, from, to) {
      const amounts = columns.money[fact]
      // Unknown amounts are NaN and match no range.
      return byRow((row) => amounts[row]! >= from && amounts[row]! <= to)
    },

    flagByDay(fact, from, to) {
      const first = from ?? UNKNOWN_DAY_NUMBER + 1
      const last = to ?? Number.MAX_SAFE_INTEGER
      return byFact(PACKED_PROJECT_OFFSETS[fact], (day) => day >= first && day <= last)
    },

    flagByBidState(test) {
      const today = toDayNumber(data.today)
      return byRow((row) => test(getBidStateAtRow(columns, row, today)))
    },

    flagByEligibility(test) {
      if (!data.eligibility) throw new Error('query without qualifications')
      return getEligibilityVerdicts(tab, columns, data.eligibility).map((verdict) => Number(test(verdict)))
    },

    flagByAgencyUnit(test) {
      const isPassing = Uint8Array.from(columns.agencyUnits, (unit) => Number(test(unit)))
      return byRow((row) => isPassing[columns.department[row]!] === 1)
    },

    flagByContractEnd(days) {
      const today = toDayNumber(data.today)
      return byRow((row) => columns.contractEnds.nextOf(row, today) <= today + days)
    },

    flagByText: (search, fields) => words.find(search, fields, tab),

    flagChangedSinceVisit: () => flagMatchesChangedSinceReportVisit(data),

    flagAt(lists, negated = false) {
      const passing = new Uint8Array(rows.length).fill(negated ? 1 : 0)
      for (const positions of lists) for (const position of positions) passing[position] = negated ? 0 : 1
      return passing
    },

    flagProjects(projectIds) {
      const passing = new Uint8Array(rows.length)
      for (const id of projectIds) {
        const position = findProjectPosition(tab, columns, id)
        if (position !== -1) passing[position] = 1
      }
      return passing
    },
  }
}

const NAMES_PER_SLICE = 5_000

/**
 * Returns the same as `loadSemanticSearchCandidates`, computed from the names of a tab. The database takes 30 ms for 2,000
 * matches.
 */
export const createSemanticSearchCandidateFinder =
  ({ columns, words }: CachedProjects, { rows }: ReportTabMatches): SemanticSearchCandidateFinder =>
  async ({ standalone, sides }) => {
    const hasStandalone = await words.findLetters(standalone, rows)
    const together = sides.length === 0 ? undefined : new Uint8Array(rows.length).fill(1)
    for (const side of sides)
      for (const [at, contains] of (await words.findLetters(side, rows)).entries()) together![at]! &= contains
    const candidates: { project_id: string; name_search: string }[] = []
    for (let at = 0; at < rows.length; at += 1) {
      if (hasStandalone[at] === 0 && !together?.[at]) continue
      const row = rows[at]!
      candidates.push({ project_id: decodeProjectKey(columns.keys[row]!), name_search: columns.titles.textOf(row) })
      if (candidates.length % NAMES_PER_SLICE === 0) await yieldToEventLoop()
    }
    return candidates
  }

type SemanticSearchMatches = {
  readonly hits: SemanticSearchHits
  readonly positions: Int32Array
  readonly scores: ReadonlyMap<number, number>
}

/** Returns undefined if the search has no semantic terms. `results` must cover all its terms. */
function findSemanticSearchMatches(
  search: ReportSearch,
  results: SemanticSearchResults | undefined,
  { columns, tab }: { readonly columns: ProjectColumns; readonly tab: ReportTabMatches },
): SemanticSearchMatches | undefined {
  const hits = getSemanticSearchHits(search, results)
  if (!hits) return undefined
  const positions = new Int32Array(hits.size)
  const scores = new Map<number, number>()
  let size = 0
  for (const [id, { score }] of hits) {
    const position = findProjectPosition(tab, columns, id)
    if (position === -1) continue
    positions[size++] = position
    scores.set(tab.rows[position]!, score)
  }
  return { hits, positions: positions.slice(0, size).sort(), scores }
}

/** Which filters each match of a tab fails. All positions refer to the tab. */
export type FailedFilterConditions = {
  /** Per match: 0 if it passes all conditions, i + 1 if it fails only condition i, `FAILS_SEVERAL` if it fails more. */
  readonly failed: Uint8Array
  /** 1 for matches excluded from the report, such as hidden ones unless the search includes them. */
  readonly isOut: Uint8Array
  /** Conditions in evaluation order: cheap ones first, then text searches, as in `buildReportFilterConditions`. */
  readonly names: readonly ReportFilterName[]
  readonly passing: Int32Array
  readonly failingOnly: readonly Int32Array[]
}

/**
 * Marks a match that fails several conditions. Cannot collide with a condition number, because there are far fewer than
 * 255 filters.
 */
const FAILS_SEVERAL = 255
/** Matches tested before yielding to the event loop: 1 to 2 ms of work per filter. */
const MATCHES_PER_SLICE = 200_000

function recordFailures(failed: Uint8Array, passing: Uint8Array, condition: number): void {
  for (let at = 0; at < failed.length; at += 1)
    if (passing[at] === 0) failed[at] = failed[at] === 0 ? condition : FAILS_SEVERAL
}

export async function computeFailedFilterConditions(
  query: InMemoryReportQuery,
  filters: Pick<ReportFilterSet, 'getActiveFilters'>,
): Promise<FailedFilterConditions> {
  const { search, tab, hidden } = query
  const failed = new Uint8Array(tab.rows.length)
  const isOut = new Uint8Array(tab.rows.length)
  const active = filters.getActiveFilters(search)
  if (!active.some(({ filter }) => filter.showsHidden)) for (const position of hidden) isOut[position] = 1
  for (const [i, { filter, value, isOnlyReasonForArchived }] of active.entries()) {
    const passing = await filter.mask(value)(query)
    recordFailures(failed, passing, i + 1)
    if (isOnlyReasonForArchived) excludeFailingArchived(query, passing, isOut)
    if (failed.length * (i + 1) >= MATCHES_PER_SLICE) await yieldToEventLoop()
  }
  return { failed, isOut, names: active.map(({ name }) => name), ...groupByFailure(failed, isOut, active.length) }
}

/** Excludes archived work that fails the only filter that includes it. */
function excludeFailingArchived(
  { tab, columns: { kind, kinds } }: InMemoryReportQuery,
  passing: Uint8Array,
  isOut: Uint8Array,
): void {
  for (let at = 0; at < isOut.length; at += 1)
    if (passing[at] === 0 && kinds.flags.is_archived[kind[tab.rows[at]!]!] === 1) isOut[at] = 1
}

function groupByFailure(
  failed: Uint8Array,
  isOut: Uint8Array,
  conditions: number,
): Pick<FailedFilterConditions, 'passing' | 'failingOnly'> {
  // List 0 contains the matches that pass; list i + 1 those that fail only condition i.
  const sizes = new Uint32Array(conditions + 1)
  const isCounted = (at: number) => failed[at] !== FAILS_SEVERAL && isOut[at] === 0
  for (let at = 0; at < failed.length; at += 1) if (isCounted(at)) sizes[failed[at]!]! += 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  sizes.fill(0)
  for (let at = 0; at < failed.length; at += 1) {
    if (!isCounted(at)) continue
    const list = failed[at]!
    lists[list]![sizes[list]!++] = at
  }
  return { passing: lists[0]!, failingOnly: lists.slice(1) }
}

/** Counts the positions that pass every filter except `without`. Hidden matches count only if `evenHidden`. */
function countMarkedProjectMatches(
  { failed, isOut, names }: FailedFilterConditions,
  positions: Int32Array,
  without: ReportFilterName,
  evenHidden = false,
): number {
  // If the search does not use this parameter the number is 0, which matches no condition.
  const ownNumber = names.indexOf(without) + 1
  let count = 0
  for (const position of positions)
    if ((failed[position] === 0 || failed[position] === ownNumber) && (evenHidden || isOut[position] === 0)) count += 1
  return count
}

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
  const today = toDayNumber(day)
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
  const today = toDayNumber(query.today)
  return Array.from(passing, (position) => tab.rows[position]!)
    .filter((row) => !search.is_archived || kinds.flags.is_archived[kind[row]!] === 1)
    .map((row) => contractEnds.nextOf(row, today) - today)
}
