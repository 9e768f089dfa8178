import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { createRecord } from '#contract/create-record.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import {
  type CountedDayFact,
  type CountedMoneyFact,
  MONEY_BIN_SHIFTS,
  PROVINCE_CODES,
  PROVINCE_SHIFTS,
} from '#server/matching/packed-row.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { getHitsBySentence, type SemanticSearchHits, toScorePercent } from '#server/report/deep/semantic-search-hits.ts'
import type { EligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import {
  COUNTED_DAYS,
  COUNTED_PROVINCES,
  type CountedProvince,
  type FacetCounts,
  type FactCounter,
  FIRST_DATE_PRESET_DAY,
  type FitRanking,
  type MarkedProjectPositions,
  type MarkFacetCounts,
  type MatchSelector,
  MONEY_BIN_COUNT,
  type PreviousReportVisit,
  type ReportFilterSet,
  type ReportMatches,
  type ReportScope,
  type SearchedTextField,
} from '#server/report/report-queries.ts'
import { COUNTED_DAY_FACTS, COUNTED_MONEY_FACTS, type ProjectColumns, UNKNOWN_DAY_NUMBER } from './project-columns.ts'
import {
  createChangedInLoadsTest,
  findProjectPositions,
  findProjectRow,
  getBidStateAtRow,
  getBidStateIndex,
  getEligibilityVerdicts,
  getNearDeadlineKindAtRow,
  getRowsAtPositions,
  oncePerTab,
  type ReportTab,
} from './report-tab.ts'

export type InMemoryReportQuery = ReportMatches & {
  readonly search: ReportSearch
  readonly filters: ReportFilterSet
  readonly visit: PreviousReportVisit | undefined
  readonly columns: ProjectColumns
  readonly tab: ReportTab
  readonly semanticHits: readonly SemanticSearchHits[] | undefined
  /** Score of each row in percent, -1 for others; undefined unless the search has semantic terms. */
  readonly similarities: Int8Array | undefined
  /** Set if the search filters by eligibility or facets are counted; `fit` if the search is ordered by fit. */
  readonly eligibility: EligibilityTable | undefined
  readonly fit: FitRanking | undefined
}

type QueryParts = {
  readonly filters: ReportFilterSet
  readonly tab: ReportTab
  readonly words: {
    find(search: SearchNode, fields: readonly SearchedTextField[], rows: Int32Array): Promise<Uint8Array>
  }
  readonly marks: MarkedProjectPositions
  readonly pursued: ReportMatches['pursued']
}

/** The scope must be resolved (`resolveReportSearchScope`). */
export function createInMemoryReportQuery(
  search: ReportSearch,
  { today, visit, documents, deep, eligibility, fit, packageProvinces = new Set() }: ReportScope,
  { filters, tab, words, marks, pursued }: QueryParts,
): InMemoryReportQuery {
  const { rows, changes, columns } = tab
  const { kinds } = columns
  const semanticHits = getHitsBySentence(search, deep)
  const similarities = semanticHits?.map((hits) => getSimilarities(hits, columns)).reduce(bestOf)

  // The loops add 0 or 1 instead of branching, because the processor mispredicts branches on the values of projects: a
  // range took four times as long. The next selected position overwrites one that was not selected.

  /** `numbers` has a number per row, and `isPassing` an entry per number. */
  function byNumber(numbers: Int32Array | Uint16Array, isPassing: Uint8Array): MatchSelector {
    return (positions, wanted) => {
      const selected = new Int32Array(positions.length)
      let count = 0
      for (let i = 0; i < positions.length; i += 1) {
        const position = positions[i]!
        selected[count] = position
        count += isPassing[numbers[rows[position]!]!]! ^ wanted ^ 1
      }
      return selected.subarray(0, count)
    }
  }

  /** `values` has a number per row. An unknown amount (NaN) is in no range. */
  function byRange(values: Int8Array | Float64Array | Int32Array, from: number, to: number): MatchSelector {
    return (positions, wanted) => {
      const selected = new Int32Array(positions.length)
      let count = 0
      for (let i = 0; i < positions.length; i += 1) {
        const position = positions[i]!
        const value = values[rows[position]!]!
        selected[count] = position
        count += (Number(value >= from) & Number(value <= to)) ^ wanted ^ 1
      }
      return selected.subarray(0, count)
    }
  }

  function flagAt(lists: readonly Int32Array[], negated = false): Uint8Array {
    const passing = new Uint8Array(rows.length).fill(negated ? 1 : 0)
    for (const positions of lists) for (const position of positions) passing[position] = negated ? 0 : 1
    return passing
  }

  return {
    search,
    filters,
    today,
    visit,
    columns,
    tab,
    changes,
    pursued,
    documents,
    semanticHits,
    similarities,
    packageProvinces,
    eligibility,
    fit,
    ...marks,

    selectByValue(fact, test) {
      const isPassing = kinds.values[fact].map((value) => Number(test(value)))
      const valueOfKind = kinds.valueOf[fact]
      const isKindPassing = new Uint8Array(kinds.size)
      // `Uint8Array.from` with a function takes 1 ms for 20,000 combinations, 40 times as long.
      for (let kind = 0; kind < kinds.size; kind += 1) isKindPassing[kind] = isPassing[valueOfKind[kind]!]!
      return byNumber(columns.kind, isKindPassing)
    },

    selectByFlag: (fact) => byNumber(columns.kind, Uint8Array.from(kinds.flags[fact])),

    selectByProvince(fact, isPassing) {
      const isPassingPair = new Uint8Array(PROVINCE_CODES ** 2)
      for (let code = 0; code < PROVINCE_CODES; code += 1) {
        const from = code << PROVINCE_SHIFTS.project_province
        if (fact === 'project_province' || (fact === 'either' && code > 0))
          isPassingPair.fill(isPassing[code]!, from, from + PROVINCE_CODES)
        else isPassingPair.set(isPassing, from)
      }
      return byNumber(columns.provinces, isPassingPair)
    },

    selectByMoney: (fact, from, to) => byRange(columns.money[fact], from, to),

    selectByDay: (fact, from, to) =>
      byRange(columns.days[fact], from ?? UNKNOWN_DAY_NUMBER + 1, to ?? Number.MAX_SAFE_INTEGER),

    selectByBidState: (test) => byTest((at) => test(getBidStateAtRow(columns, rows[at]!, tab.today))),

    selectByEligibility(test) {
      if (!eligibility) throw new Error('query without qualifications')
      const verdicts = getEligibilityVerdicts(tab, eligibility)
      return byTest((at) => test(verdicts[at]!))
    },

    selectByAgencyUnit(test) {
      const isPassing = Uint8Array.from(columns.agencyUnits, (unit) => Number(test(unit)))
      return byNumber(columns.department, isPassing)
    },

    selectByContractEnd: (days) =>
      byTest((at) => columns.contractEnds.nextOf(rows[at]!, tab.today) <= tab.today + days),

    flagByText: (expression, fields) => words.find(expression, fields, rows),

    selectChangedSinceVisit: () => byTest(createChangedInLoadsTest(tab, visit?.loads ?? [])),

    flagAt,

    selectSemanticSearchHits() {
      if (!similarities) throw new Error('query without semantic terms')
      return byRange(similarities, search.ai_deep_from ?? 0, 100)
    },

    flagProjects: (projectIds) => flagAt([findProjectPositions(tab, projectIds)]),
  }
}

/**
 * Only searches with at least one hit per so many rows have their scores cached. Scores take a byte per row however few
 * hits there are, so those of all cached searches could fill gigabytes. Computing the others takes up to 7 ms for 1.39
 * million rows.
 */
const MAX_ROWS_PER_CACHED_HIT = 64
const similarityCache = new WeakMap<ProjectColumns, WeakMap<SemanticSearchHits, Int8Array>>()

/** Returns the score of each row in percent, -1 for others. It takes 0.2 s for 650,000 hits. */
function getSimilarities(hits: SemanticSearchHits, columns: ProjectColumns): Int8Array {
  const ofColumns = similarityCache.get(columns) ?? new WeakMap<SemanticSearchHits, Int8Array>()
  similarityCache.set(columns, ofColumns)
  const cached = ofColumns.get(hits)
  if (cached?.length === columns.size) return cached
  const similarities = new Int8Array(columns.size).fill(-1)
  for (const [id, hit] of hits) {
    const row = findProjectRow(columns, id)
    if (row !== undefined) similarities[row] = toScorePercent(hit)
  }
  if (hits.size * MAX_ROWS_PER_CACHED_HIT >= columns.size) ofColumns.set(hits, similarities)
  return similarities
}

const bestOf = (a: Int8Array, b: Int8Array) => a.map((similarity, row) => Math.max(similarity, b[row]!))

/** Selects the positions that pass a test. */
function byTest(test: (position: number) => boolean): MatchSelector {
  return (positions, wanted) => {
    const selected = new Int32Array(positions.length)
    let count = 0
    for (let i = 0; i < positions.length; i += 1) {
      const position = positions[i]!
      selected[count] = position
      count += Number(test(position)) ^ wanted ^ 1
    }
    return selected.subarray(0, count)
  }
}

const byFlags = (flags: Uint8Array) => byTest((position) => flags[position] === 1)

/** Positions of matches, ascending. */
type FilteredPositions = {
  /** The matches that pass all filters. */
  readonly passing: Int32Array
  /** By index of the filter, the matches that fail only this filter; empty unless requested. */
  readonly failing: readonly Int32Array[]
}

export type FilteredMatches = FilteredPositions & {
  /** Filters in evaluation order: cheap ones first, then text searches, as in `buildReportFilterConditions`. */
  readonly names: readonly ReportFilterName[]
  /** The same lists with the matches that the user has hidden, even if the report excludes them. */
  readonly evenHidden: FilteredPositions
}

/** Matches tested before yielding to the event loop: 1 to 2 ms of work per filter. */
const MATCHES_PER_SLICE = 200_000

const listAllPositions = oncePerTab(({ rows }) => rows.map((_, at) => at))

/** Applies each filter only to the matches that the earlier ones left. */
export async function filterMatches(
  query: InMemoryReportQuery,
  { withFailing = false } = {},
): Promise<FilteredMatches> {
  const { search, filters, tab, hidden } = query
  const active = filters.getActiveFilters(search)
  let passing: Int32Array = listAllPositions(tab)
  let failing: Int32Array[] = []
  for (const [i, { filter, value, isOnlyReasonForArchived }] of active.entries()) {
    const selection = await filter.select(value)(query)
    const select = selection instanceof Uint8Array ? byFlags(selection) : selection
    if (withFailing) {
      const excluded = select(passing, 0)
      // Archived work that fails the only filter that includes it is not in the report.
      const failingThis = isOnlyReasonForArchived ? query.selectByFlag('is_archived')(excluded, 0) : excluded
      failing = [...failing.map((positions) => select(positions, 1)), failingThis]
    }
    // Skips the test if it failed all, as for the filter to relax of a search that finds nothing.
    passing = failing.at(-1)?.length === passing.length ? new Int32Array(0) : select(passing, 1)
    if (tab.rows.length * (i + 1) >= MATCHES_PER_SLICE) await yieldToEventLoop()
  }
  const names = active.map(({ name }) => name)
  const evenHidden = { passing, failing }
  if (hidden.length === 0 || active.some(({ filter }) => filter.showsHidden))
    return { names, ...evenHidden, evenHidden }
  const selectHidden = byFlags(query.flagAt([hidden]))
  const withoutHidden = (positions: Int32Array) => selectHidden(positions, 0)
  return { names, passing: withoutHidden(passing), failing: failing.map(withoutHidden), evenHidden }
}

const MONEY_BINS = 32

/** Counts of some matches by fact, in small tables that stay in the CPU cache. */
type FactCounts = {
  /** By number of the combination of field values. */
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

const createCounts = ({ kinds }: ProjectColumns): FactCounts => ({
  kinds: new Uint32Array(kinds.size),
  provinces: createRecord(COUNTED_PROVINCES, () => new Uint32Array(PROVINCE_CODES)),
  bins: createRecord(COUNTED_MONEY_FACTS, () => new Uint32Array(MONEY_BINS)),
  changes: new Uint32Array(4),
  bids: new Uint32Array(BID_STATES.length),
  due: new Uint32Array(NEAR_DEADLINE_KINDS.length),
  eligibility: new Uint32Array(ELIGIBILITY_VERDICTS.length),
  days: createRecord(COUNTED_DAY_FACTS, () => new Uint32Array(COUNTED_DAYS)),
})

/** Counts the facts behind all facets. */
async function countProjectFacts(query: InMemoryReportQuery, positions: Int32Array): Promise<FactCounts> {
  const counts = createCounts(query.columns)
  for (let from = 0; from < positions.length; from += MATCHES_PER_SLICE) {
    if (from > 0) await yieldToEventLoop()
    addCounts(counts, query, positions.subarray(from, from + MATCHES_PER_SLICE))
  }
  return counts
}

/** Counts column by column: one loop over all columns took 1.3 times as long. */
function addCounts(
  counts: FactCounts,
  { columns, changes, tab, eligibility: table }: InMemoryReportQuery,
  positions: Int32Array,
): void {
  const { today } = tab
  const { provinces, bins, bids, due } = counts
  const rows = getRowsAtPositions(tab, positions)
  addCountsOf(columns.kind, rows, counts.kinds)
  addCountsOf(changes, positions, counts.changes)
  if (table) addCountsOf(getEligibilityVerdicts(tab, table), positions, counts.eligibility)
  for (let i = 0; i < rows.length; i += 1) {
    const pair = columns.provinces[rows[i]!]!
    const ofProject = pair >>> PROVINCE_SHIFTS.project_province
    const ofDepartment = pair & (PROVINCE_CODES - 1)
    provinces.project_province[ofProject]! += 1
    provinces.dept_province[ofDepartment]! += 1
    provinces.either[ofProject || ofDepartment]! += 1
  }
  for (let i = 0; i < rows.length; i += 1) {
    const packed = columns.bins[rows[i]!]!
    bins.budget[(packed >>> MONEY_BIN_SHIFTS.budget) & (MONEY_BINS - 1)]! += 1
    bins.estimate_budget[(packed >>> MONEY_BIN_SHIFTS.estimate_budget) & (MONEY_BINS - 1)]! += 1
    bins.winner_budget[(packed >>> MONEY_BIN_SHIFTS.winner_budget) & (MONEY_BINS - 1)]! += 1
  }
  for (const fact of COUNTED_DAY_FACTS)
    addDayCounts(columns.days[fact], rows, today + FIRST_DATE_PRESET_DAY, counts.days[fact])
  for (let i = 0; i < rows.length; i += 1) {
    bids[getBidStateIndex(columns, rows[i]!, today)]! += 1
    const near = getNearDeadlineKindAtRow(columns, rows[i]!, today)
    if (near) due[NEAR_DEADLINE_KINDS.indexOf(near)]! += 1
  }
}

/** Adds the number of occurrences of each of the `values` at these indexes. */
function addCountsOf(values: Uint8Array | Uint16Array | Int32Array, indexes: Int32Array, counts: Uint32Array): void {
  for (let i = 0; i < indexes.length; i += 1) counts[values[indexes[i]!]!]! += 1
}

/** Counts the days from `first` for as long as `counts` has entries. */
function addDayCounts(days: Int32Array, rows: Int32Array, first: number, counts: Uint32Array): void {
  const last = first + counts.length - 1
  for (let i = 0; i < rows.length; i += 1) {
    const day = days[rows[i]!]!
    if (day >= first && day <= last) counts[day - first]! += 1
  }
}

/**
 * Counts every facet: a match that passes all filters counts in every facet, a match that fails one filter only in that
 * filter's facet. Same result as `countFacets`.
 */
export async function countMatchFacets(
  query: InMemoryReportQuery,
  { names, passing, failing }: FilteredMatches,
): Promise<FacetCounts> {
  const { filters } = query
  const passingCounts = await countProjectFacts(query, passing)
  const failingCounts = new Map<ReportFilterName, FactCounts>()
  for (const [i, name] of names.entries())
    if (filters.columnFacetNames.has(name)) failingCounts.set(name, await countProjectFacts(query, failing[i]!))
  const parts = (...failing: ReportFilterName[]) =>
    [passingCounts, ...failing.map((name) => failingCounts.get(name))].filter((part) => part !== undefined)
  const dueOf = (kind: NearDeadlineKind) =>
    parts(...filters.deadlineFilters[kind]).reduce((sum, { due }) => sum + due[NEAR_DEADLINE_KINDS.indexOf(kind)]!, 0)
  return {
    ...filters.countColumnFacets((name) => createFactCounter(parts(name), query)),
    due: { closing: dueOf('closing'), comment: dueOf('comment') },
    passingBut: filters.countPassingBut((name) => passing.length + (failing[names.indexOf(name)]?.length ?? 0)),
  }
}

function createFactCounter(
  parts: readonly FactCounts[],
  { columns: { kinds: combinations }, packageProvinces }: InMemoryReportQuery,
): FactCounter {
  const sum = (tables: readonly Uint32Array[]) =>
    tables.reduce((total, table) => total.map((count, at) => count + table[at]!))
  const kinds = sum(parts.map((part) => part.kinds))
  return {
    packageProvinces,
    countValues(fact) {
      const values = combinations.values[fact]
      const valueOfKind = combinations.valueOf[fact]
      const counts = new Uint32Array(values.length)
      for (let kind = 0; kind < kinds.length; kind += 1) counts[valueOfKind[kind]!]! += kinds[kind]!
      return values.map((value, i) => [value, counts[i]!] as const)
    },
    countFlag(fact) {
      const isSet = combinations.flags[fact]
      return kinds.reduce((total, count, kind) => total + isSet[kind]! * count, 0)
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
  filtered: FilteredMatches,
  endingQuery: InMemoryReportQuery,
): Promise<MarkFacetCounts['marks']> {
  const daysUntilContractEnds = await listDaysUntilContractEnds(endingQuery)
  const failures = numberFailures(query, filtered)
  return Object.fromEntries(
    query.filters.markFacets.map(({ name, facet }) => {
      // If the search does not use this parameter the number is 0, the number of passing all filters.
      const ownNumber = filtered.names.indexOf(name) + 1
      const countPassing = (positions: Int32Array, { withHidden = false } = {}) => {
        if (positions.length === 0) return 0
        const numbers = withHidden ? numberFailures(query, filtered.evenHidden) : failures
        let count = 0
        for (const position of positions) if (numbers[position] === 0 || numbers[position] === ownNumber) count += 1
        return count
      }
      return [name, facet.count({ matches: query, countPassing, daysUntilContractEnds })] as const
    }),
  )
}

/** Greater than the number of any filter. */
const NOT_LISTED = 255

/** Returns 0 for each match that passes all filters, i + 1 for each that fails only filter i, else `NOT_LISTED`. */
function numberFailures({ tab }: InMemoryReportQuery, { passing, failing }: FilteredPositions): Uint8Array {
  const numbers = new Uint8Array(tab.rows.length).fill(NOT_LISTED)
  for (const [number, positions] of [passing, ...failing].entries())
    for (let i = 0; i < positions.length; i += 1) numbers[positions[i]!] = number
  return numbers
}

/** `query` covers the matches of both tabs whose contracts end soon. A loop, as in `getRowsAtPositions`. */
async function listDaysUntilContractEnds(query: InMemoryReportQuery): Promise<Int32Array> {
  const { search, tab, columns } = query
  const { contractEnds, kind, kinds } = columns
  const rows = getRowsAtPositions(tab, (await filterMatches(query)).passing)
  const days = new Int32Array(rows.length)
  let size = 0
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i]!
    if (search.is_archived && kinds.flags.is_archived[kind[row]!] === 0) continue
    days[size] = contractEnds.nextOf(row, tab.today) - tab.today
    size += 1
  }
  return days.subarray(0, size)
}
