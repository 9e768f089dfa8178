import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import { MONEY_BIN_MASK, PROVINCE_CODES, PROVINCE_SHIFTS } from '#server/matching/packed-row.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { getHitsBySentence, type SemanticSearchHits, toScorePercent } from '#server/report/deep/semantic-search-hits.ts'
import type { EligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import {
  COUNTED_DAYS,
  type FacetCounts,
  type FactCounter,
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
import { type ProjectColumns, UNKNOWN_DAY_NUMBER } from './project-columns.ts'
import {
  type FactNumbers,
  findProjectPositions,
  findProjectRow,
  flagChangedInLoads,
  getBidStateIndex,
  getCountedFacts,
  getEligibilityVerdicts,
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
  // range took four times as long. The next selected position overwrites one that was not selected. Each filter has a loop
  // of its own, because calling a test for each of 650,000 matches takes 6 ms instead of 0.6.

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

    flagByBidState(isPassing) {
      const flags = new Uint8Array(rows.length)
      for (let at = 0; at < rows.length; at += 1)
        flags[at] = isPassing[getBidStateIndex(columns, rows[at]!, tab.today)]!
      return flags
    },

    flagByEligibility(isPassing) {
      if (!eligibility) throw new Error('query without qualifications')
      const verdicts = getEligibilityVerdicts(tab, eligibility)
      const flags = new Uint8Array(rows.length)
      for (let at = 0; at < rows.length; at += 1) flags[at] = isPassing[verdicts[at]!]!
      return flags
    },

    selectByAgencyUnit(test) {
      const isPassing = Uint8Array.from(columns.agencyUnits, (unit) => Number(test(unit)))
      return byNumber(columns.department, isPassing)
    },

    flagByContractEnd(days) {
      const flags = new Uint8Array(rows.length)
      for (let at = 0; at < rows.length; at += 1)
        flags[at] = Number(columns.contractEnds.nextOf(rows[at]!, tab.today) <= tab.today + days)
      return flags
    },

    flagByText: (expression, fields) => words.find(expression, fields, rows),

    flagChangedSinceVisit: () => flagChangedInLoads(tab, visit?.loads ?? []),

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

function byFlags(flags: Uint8Array): MatchSelector {
  return (positions, wanted) => {
    const selected = new Int32Array(positions.length)
    let count = 0
    for (let i = 0; i < positions.length; i += 1) {
      const position = positions[i]!
      selected[count] = position
      count += flags[position]! ^ wanted ^ 1
    }
    return selected.subarray(0, count)
  }
}

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

/** Counts how often each number occurs at the positions of these lists. `size` exceeds all numbers. */
function countNumbers(numbers: FactNumbers, size: number, lists: readonly Int32Array[]): Uint32Array {
  const counts = new Uint32Array(size)
  for (const positions of lists) for (let i = 0; i < positions.length; i += 1) counts[numbers[positions[i]!]!]! += 1
  return counts
}

const countsOfWholeTabs = new WeakMap<FactNumbers, Uint32Array>()

/**
 * Counts all positions of a tab. Cached, because most queries have no filter, or one: the facets of a plain report of
 * 650,000 matches take 3 ms instead of 15.
 */
function countWholeTab(numbers: FactNumbers, size: number, tab: ReportTab): Uint32Array {
  const cached = countsOfWholeTabs.get(numbers)
  // A load may have added a value that no project of this tab has.
  if (cached?.length === size) return cached
  const counts = countNumbers(numbers, size, [listAllPositions(tab)])
  countsOfWholeTabs.set(numbers, counts)
  return counts
}

/**
 * Counts every facet: a match that passes all filters counts in every facet, a match that fails one filter only in that
 * filter's facet. Same result as `countFacets`.
 */
export function countMatchFacets(query: InMemoryReportQuery, filtered: FilteredMatches): FacetCounts {
  const { filters, tab, hidden } = query
  const { names, passing, failing, evenHidden } = filtered
  const listsOf = (...relaxed: ReportFilterName[]) => [
    passing,
    ...relaxed.flatMap((name) => failing[names.indexOf(name)] ?? []),
  ]
  const isWholeTab = (name: ReportFilterName) =>
    evenHidden.passing.length + (evenHidden.failing[names.indexOf(name)]?.length ?? 0) === tab.rows.length
  const excluded = passing === evenHidden.passing ? [] : [hidden]
  const createCount = (name: ReportFilterName) =>
    isWholeTab(name)
      ? (numbers: FactNumbers, size: number) => {
          const excludedCounts = countNumbers(numbers, size, excluded)
          return countWholeTab(numbers, size, tab).map((count, number) => count - excludedCounts[number]!)
        }
      : (numbers: FactNumbers, size: number) => countNumbers(numbers, size, listsOf(name))
  const { due } = getCountedFacts(tab)
  const countDue = (kind: NearDeadlineKind) => {
    const counts = countNumbers(due, NEAR_DEADLINE_KINDS.length + 1, listsOf(...filters.deadlineFilters[kind]))
    return counts[NEAR_DEADLINE_KINDS.indexOf(kind)]!
  }
  return {
    ...filters.countColumnFacets((name) => createFactCounter(createCount(name), query)),
    due: { closing: countDue('closing'), comment: countDue('comment') },
    passingBut: filters.countPassingBut((name) => passing.length + (failing[names.indexOf(name)]?.length ?? 0)),
  }
}

function createFactCounter(
  count: (numbers: FactNumbers, size: number) => Uint32Array,
  { columns, tab, changes, eligibility, packageProvinces }: InMemoryReportQuery,
): FactCounter {
  const facts = getCountedFacts(tab)
  return {
    packageProvinces,
    countValues(fact) {
      const values = columns.kinds.values[fact]
      const counts = count(facts.values[fact], values.length)
      return values.map((value, i) => [value, counts[i]!] as const)
    },
    countFlag: (fact) => count(facts.flags[fact], 2)[1]!,
    countProvinces: (fact) => count(facts.provinces[fact], PROVINCE_CODES),
    countMoneyBins: (fact) => [...count(facts.bins[fact], MONEY_BIN_MASK + 1).subarray(0, MONEY_BIN_COUNT)],
    countDays: (fact) => count(facts.days[fact], COUNTED_DAYS + 1).subarray(0, COUNTED_DAYS),
    countBidStates() {
      const counts = count(facts.bidStates, BID_STATES.length)
      return BID_STATES.map(({ code }, i) => [code, counts[i]!] as const)
    },
    countChanges: () => count(changes, 4),
    countEligibility: () =>
      eligibility
        ? count(getEligibilityVerdicts(tab, eligibility), ELIGIBILITY_VERDICTS.length)
        : new Uint32Array(ELIGIBILITY_VERDICTS.length),
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
