import type { Sql } from 'sql-template-tag'
import type { Qualifications } from '#contract/account/qualification.ts'
import type { BidState, NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { DataIssue } from '#contract/catalogue/data-issue.ts'
import type { ProjectFactNamesWith, REPORT_FACTS, StoredFactColumns } from '#contract/catalogue/project-facts.ts'
import type { FitEvidence, ProjectFit } from '#contract/matching/fit.ts'
import type { MatchReason } from '#contract/matching/match-reason.ts'
import type { MorningFigures } from '#contract/report/morning-queue.ts'
import {
  type FacetOption,
  MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT,
  REPORT_DATE_PRESETS,
  type ReportRow,
} from '#contract/report/report.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import type { ReportFacetNames, ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import type { SearchNode } from '#contract/search/search-grammar.ts'
import type { AgencyUnit, CountedAgencyUnit } from '#server/catalogue/department/agency-unit.ts'
import type { CountedDayFact, CountedFlag, CountedMoneyFact } from '#server/matching/packed-row.ts'
import type {
  DocumentSearchResults,
  SemanticSearchResults,
  SemanticSearchScore,
} from '#server/report/deep/semantic-search-hits.ts'
import type { EligibilityTable } from '#server/report/eligibility/eligibility-table.ts'

/** End of the user's previous visit (UTC ISO) and the loads published since. */
export type PreviousReportVisit = { readonly endedAt: string; readonly loads: readonly number[] }

export type ReportScope = {
  readonly organisationId: number
  readonly userId: number
  readonly today: string
  readonly visit?: PreviousReportVisit | undefined
  readonly deep?: SemanticSearchResults
  readonly documents?: DocumentSearchResults
  /**
   * `resolveReportSearchScope` adds the codes of the package's provinces, the eligibility verdicts and the order by fit.
   */
  readonly packageProvinces?: ReadonlySet<number>
  readonly eligibility?: EligibilityTable
  readonly fit?: FitRanking
}

/** The projects that can be acted on by how well they fit. The report shows all others after them, newest first. */
export type FitRanking = {
  readonly evidence: FitEvidence
  /** Score by project id, 0 to 10,000; undefined if there is not enough evidence. */
  readonly scores: ReadonlyMap<string, number> | undefined
  readonly explain: (projectId: string) => ProjectFit | undefined
}

/** Project columns of a row (`PROJECT_COLUMNS_SQL`): money in satang, dates ISO, provinces as DOPA codes. */
export type StoredReportProject = StoredFactColumns<typeof REPORT_FACTS> & {
  readonly is_movement_undated: boolean
  readonly other_winners: string | null
}

export type StoredReportRow = StoredReportProject & {
  project_id: string
  change: number
  changes: { field: string; old: string | null; new: string | null; seen_at: string }[] | null
  matched_words: string[]
  matched_by: ('name' | 'ai' | 'deptsub' | 'document')[]
  match_reasons: MatchReason[] | null
  rescued_from: string | null
  attachments?: { name: string; url: string; step: string; published_date: string | null }[] | null
  attachment_urls?: string[] | null
  pursuit: ReportRow['pursuit']
  /** Undefined if the report does not include the project; null if no contract is active. */
  contract_ends?: string[] | null
  from_documents?: { field: string; page: number }[] | null
  doubts?: DataIssue[] | null
  /** Names of winners and bidders with the id of a natural person. */
  person_winners?: readonly string[] | null
  deep: SemanticSearchScore | null
  fit?: ProjectFit | undefined
}

export type StoredReportPage = {
  total: number
  /** Total budget: a numeric in text form, because the total of many budgets may exceed int8. */
  total_budget_satang: string
  amounts_in_doubt: number
  all: number
  new: number
  updated: number
  discussion_7d: number
  submission_7d: number
  since_visit: number
  hidden: number
  hidden_by_user: number
  data_time: string | null
  customer_config: {
    report_start_date?: string | null
    start_date_report?: string | null
    end_date_report?: string | null
  }
  has_rules: boolean
  last_match_date: string | null
  pursuit_version: number | null
  fit?: FitEvidence | undefined
  rows: StoredReportRow[]
}

export type ReportRowFileDetail = 'listed' | 'counted'

/** Facts whose values many projects share: codes, and flags. */
export type SharedValueField = ProjectFactNamesWith<typeof REPORT_FACTS, { readonly type: 'enumeration' }>
export type SharedFlag = ProjectFactNamesWith<typeof REPORT_FACTS, { readonly type: 'flag' }>
export type SearchedTextField = 'name' | 'department' | 'winner' | 'number'

export type ReportFilterContext = {
  readonly today: string
  readonly bookmarks: ReadonlySet<string>
  readonly labels: ReadonlyMap<string, readonly string[]>
  readonly teamLabels: ReadonlyMap<string, readonly string[]>
  readonly hidden: ReadonlySet<string>
  /** Ids of projects added or changed by a load published after the user's previous visit. */
  readonly sinceVisit: ReadonlySet<string>
  readonly isMeant: (sentence: string, name: string) => boolean
  readonly packageProvinces: ReadonlySet<number>
  readonly bidder: Qualifications
  /** Tests whether a stored document of the project contains a folded phrase. */
  readonly isInDocuments: (phrase: string, projectId: string) => boolean
}

export type ReportRowPredicate = (row: ReportRow, context: ReportFilterContext) => boolean

export type MarkedProjectPositions = {
  readonly hidden: Int32Array
  readonly bookmarked: Int32Array
  readonly labels: ReadonlyMap<string, Int32Array>
  readonly labelled: Int32Array
}

export type PursuedProject = {
  readonly position: number
  readonly row: number
  readonly stage: string | null
  readonly stagePosition: number | null
  readonly owner: number | null
  readonly notes: number
  readonly labels: readonly string[]
}

/**
 * The matches of a query in memory as filters and facets access them: by kind of fact. All positions refer to the
 * query's tab. A `flag` function returns 1 for each match that passes, a `select` function tests only some matches.
 */
export type ReportMatches = MarkedProjectPositions & {
  readonly today: string
  /** Number of the change status of each match (`CHANGE_STATUSES_BY_NUMBER`). */
  readonly changes: Uint8Array
  readonly pursued: readonly PursuedProject[]
  readonly documents: DocumentSearchResults | undefined
  /** Empty unless the search filters by the package or facets are counted. */
  readonly packageProvinces: ReadonlySet<number>
  selectByValue(fact: SharedValueField, test: (value: string) => boolean): MatchSelector
  selectByFlag(fact: SharedFlag): MatchSelector
  /** `isPassing` has one entry per DOPA code; index 0 is for unknown provinces. */
  selectByProvince(fact: CountedProvince, isPassing: Uint8Array): MatchSelector
  /** `from` and `to` are in satang, inclusive. An unknown amount never passes. */
  selectByMoney(fact: CountedMoneyFact, from: number, to: number): MatchSelector
  /** `from` and `to` are days since 2000-01-01, inclusive; null means no bound. An unknown day never passes. */
  selectByDay(fact: CountedDayFact, from: number | null, to: number | null): MatchSelector
  /** `isPassing` has an entry, 0 or 1, for each of `BID_STATES`. */
  flagByBidState(isPassing: readonly number[]): Uint8Array
  /** `isPassing` has an entry, 0 or 1, for each of `ELIGIBILITY_VERDICTS`. */
  flagByEligibility(isPassing: readonly number[]): Uint8Array
  selectByAgencyUnit(test: (unit: AgencyUnit) => boolean): MatchSelector
  flagByContractEnd(days: number): Uint8Array
  flagByText(search: SearchNode, fields: readonly SearchedTextField[]): Promise<Uint8Array>
  flagChangedSinceVisit(): Uint8Array
  selectSemanticSearchHits(): MatchSelector
  /** Flags the matches at these positions, or all others if `negated`. */
  flagAt(lists: readonly Int32Array[], negated?: boolean): Uint8Array
  flagProjects(projectIds: readonly string[]): Uint8Array
}

/** Lists those of these positions that pass a filter (`wanted` 1), or those that fail it (0), in their order. */
export type MatchSelector = (positions: Int32Array, wanted: 0 | 1) => Int32Array

export type SelectMatchesFn = (matches: ReportMatches) => MatchSelector | Uint8Array | Promise<Uint8Array>

/**
 * A filter of the report: its meaning for one row, as SQL and over the columns in memory. The row test is the reference;
 * a conformance test compares all three.
 *
 * An unknown value matches no list and no range, and passes every "is not".
 */
export type ReportFilter<Value, Facet extends ReportFacet | null = null> = {
  readonly matches: (value: Value) => ReportRowPredicate
  /** Returns a condition on `m` (`report_matches`) that is true or false, never null. */
  readonly condition: (value: Value, scope: ReportScope, search: ReportSearch) => Sql
  readonly select: (value: Value) => SelectMatchesFn
  /** Counts the filter's options while all other filters apply; null if it has none to count. */
  readonly facet: Facet
  /** True if the condition reads texts. Engines evaluate it last, for the rows that the cheap conditions left. */
  readonly readsText?: true
  /**
   * True if the FROM clause (`reportMatchesFromClauseSql`) already joins the matches that pass, so that queries may leave
   * out the condition.
   */
  readonly isJoined?: true
  /**
   * True if a search covers both tabs only because of this filter (`getArchivedScope`). Delivered work that fails it is
   * then not in the report, and no facet counts it.
   */
  readonly widensTab?: true
  /** True if the report contains the projects that the user has hidden only with this filter. */
  readonly showsHidden?: true
  /** True if new and updated refer to the loads since the user's previous visit while this filter applies. */
  readonly countsSinceVisit?: true
}

export type ActiveReportFilter = {
  readonly name: ReportFilterName
  readonly filter: ReportFilter<unknown, ReportFacet | null>
  readonly value: unknown
  /** True if only this filter extends the search to delivered work (`ReportFilter.widensTab`). */
  readonly isOnlyReasonForArchived: boolean
}

/** Filters that the counts of near deadlines ignore: the bid state, and the date of the deadline. */
type DeadlineFilters = Readonly<Record<NearDeadlineKind, readonly ReportFilterName[]>>

/** The report's filters. Engines depend on this interface, not on individual filters. */
export type ReportFilterSet = {
  /** Returns the filters of a search in evaluation order. */
  readonly getActiveFilters: (search: ReportSearch) => readonly ActiveReportFilter[]
  withoutWideningFilters(search: ReportSearch): ReportSearch
  /** Counts every column facet. `factsOf` counts the matches that no filter except this one excludes. */
  countColumnFacets(factsOf: (name: ReportFilterName) => FactCounter): Pick<FacetCounts, ColumnFacet['part']>
  countPassingBut(countOf: (name: ReportFilterName) => number): FacetCounts['passingBut']
  readonly columnFacetNames: ReadonlySet<ReportFilterName>
  readonly markFacets: readonly { readonly name: ReportFacetNames['options']; readonly facet: MarkFacet }[]
  readonly deadlineFilters: DeadlineFilters
}

export type ReportFacet = ColumnFacet | MarkFacet

/** A facet over facts that every project has, counted for all facets in one pass over the matches. */
export type OptionFacet = { readonly part: 'options'; readonly count: (facts: FactCounter) => FacetOption[] }
export type BinFacet = { readonly part: 'bins'; readonly count: (facts: FactCounter) => number[] }
export type DateFacet = { readonly part: 'dates'; readonly count: (facts: FactCounter) => FacetOption[] }
type ColumnFacet = OptionFacet | BinFacet | DateFacet

/** Facets over facts of the projects; the other options are marks (`MarkFacetCounts`). */
export type FacetCounts = {
  readonly options: Readonly<Partial<Record<ReportFacetNames['options'], FacetOption[]>>>
  readonly bins: Readonly<Record<ReportFacetNames['money'], number[]>>
  readonly dates: Readonly<Record<ReportFacetNames['dates'], FacetOption[]>>
  /** Number of projects with a near deadline, ignoring the filters for bid state and for the date of that deadline. */
  readonly due: Readonly<Record<NearDeadlineKind, number>>
  /** Per mark facet with an option for unmarked projects: projects that pass all other filters. */
  readonly passingBut: Readonly<Partial<Record<ReportFacetNames['options'], number>>>
}

/** `either`: the province of the project or, if unknown, of its department. */
export type CountedProvince = 'project_province' | 'dept_province' | 'either'

export type CountedValue<Value> = readonly [value: Value, count: number]

/** Counts facts of some matches by kind; a value may occur several times. */
export type FactCounter = {
  readonly packageProvinces: ReadonlySet<number>
  countValues(fact: SharedValueField): Iterable<CountedValue<string>>
  countFlag(fact: CountedFlag): number
  /** Counts by DOPA code; index 0 counts unknown provinces. */
  countProvinces(fact: CountedProvince): Uint32Array
  /** Counts by index into `MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT` and, last, above all bounds. */
  countMoneyBins(fact: CountedMoneyFact): number[]
  /** Counts from `FIRST_DATE_PRESET_DAY` to `LAST_DATE_PRESET_DAY`, relative to the query's day. */
  countDays(fact: CountedDayFact): Uint32Array
  countBidStates(): Iterable<CountedValue<BidState>>
  /** Counts by number of the change status; `countEligibility` by index into `ELIGIBILITY_VERDICTS`. */
  countChanges(): Uint32Array
  countEligibility(): Uint32Array
}

/** The bin after the last bound. The one for unknown amounts is past it. */
export const MONEY_BIN_COUNT = MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length + 1

/** Days from today, inclusive, of each preset of a date filter. */
export const DATE_PRESET_RANGES = REPORT_DATE_PRESETS.map(({ value }) => {
  const [from, to] = value.split(',').map((bound) => Number(bound.slice(1)))
  return { value, from: from!, to: to! }
})
export const FIRST_DATE_PRESET_DAY = Math.min(...DATE_PRESET_RANGES.map((preset) => preset.from))
const LAST_DATE_PRESET_DAY = Math.max(...DATE_PRESET_RANGES.map((preset) => preset.to))
export const COUNTED_DAYS = LAST_DATE_PRESET_DAY - FIRST_DATE_PRESET_DAY + 1

const compareByCount = (a: FacetOption, b: FacetOption) => b.count - a.count || (a.value < b.value ? -1 : 1)

/**
 * Returns the options of a facet, most projects first. Adds up equal values; omits unknown values and those without
 * projects.
 */
export function toFacetOptions(countedValues: Iterable<CountedValue<string | undefined>>): FacetOption[] {
  const sums = new Map<string, number>()
  for (const [value, count] of countedValues)
    if (value !== undefined && count > 0) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums].map(([value, count]) => ({ value, count })).sort(compareByCount)
}

export const matchesList =
  (readValue: (row: ReportRow) => string | null) =>
  (filter: ListFilterValue): ReportRowPredicate => {
    const values = new Set(filter.values)
    return (row) => {
      const value = readValue(row)
      return (value !== null && values.has(value)) !== filter.negated
    }
  }

/** `marked` is the number of projects with a mark; needed only by facets with an option for unmarked projects. */
export type MarkCounts = { readonly options: readonly FacetOption[]; readonly marked?: number }

/** A facet over marks of users and teams. Few projects have any, so both engines visit the marks, not the matches. */
export type MarkFacet = {
  readonly part: 'marks'
  /** Value of the option for projects without a mark; without it there is no such option. */
  readonly unmarkedValue?: string
  /** Selects `MarkCounts` as one JSON value. */
  readonly countSql: (matches: MarkedMatchesSql) => Sql
  readonly count: (input: MarkFacetInput) => MarkCounts
}

type MarkedMatchesSql = {
  readonly scope: ReportScope
  readonly search: ReportSearch
  readonly otherFilters: Sql
  /** Joins a FROM item `mark` to its match if the match is in the report and passes all other filters. */
  readonly joinMatch: Sql
  readonly joinMatchEvenHidden: Sql
  /** Condition for the matches that the report of a search covers before its filters apply. */
  readonly coveredBy: (search: ReportSearch) => Sql
}

type MarkFacetInput = {
  readonly matches: ReportMatches
  /** Counts the matches at these positions that pass all other filters. */
  readonly countPassing: (positions: Int32Array, options?: { readonly withHidden: true }) => number
  /**
   * Days until the next contract end of each match that passes the filters, except those that widen the tab, and whose
   * contract ends soon. Covers both tabs, or only the archive if the search does.
   */
  readonly daysUntilContractEnds: Int32Array
}

/**
 * What the report can be asked. Two implementations return the same answers: `createSqlReportEngine` and the one in
 * memory, whose answers may be undefined. `createReportEngine` decides which one answers.
 */
export type ReportEngine<Unanswered = never> = {
  page(search: ReportSearch, scope: ReportScope, files?: ReportRowFileDetail): Promise<ReportPageResult | Unanswered>
  facets(search: ReportSearch, scope: ReportScope): Promise<ReportFacetResult | Unanswered>
  /** Counts the projects of each purchasing unit that pass all filters but `without`. */
  agencies(
    search: ReportSearch,
    scope: ReportScope,
    without: ReportFilterName,
  ): Promise<CountedAgencyUnit[] | Unanswered>
  /** Lists the ids of each search in its order, with their numbers; ignores paging. */
  ids(searches: readonly ReportSearch[], scope: ReportScope, options: ReportIdOptions): Promise<ReportIds | Unanswered>
  queue(search: ReportSearch, scope: ReportScope): Promise<StoredMorningQueue | Unanswered>
  /** Counts the queues of all searches together, each project once: a mail may have several filters. */
  figures(searches: readonly ReportSearch[], scope: ReportScope): Promise<MorningFigures | Unanswered>
}

export type ReportPageResult = { readonly stored: StoredReportPage; readonly filterToRelax: FilterToRelax | undefined }

export type FilterToRelax = { readonly parameter: ReportFilterName; readonly total: number }

export type ReportFacetResult = { readonly counts: FacetCounts; readonly marks: MarkFacetCounts }

export type MarkFacetCounts = {
  readonly marks: Readonly<Partial<Record<ReportFacetNames['options'], MarkCounts>>>
  readonly max_budget: string | null
}

export type ReportIdOptions = {
  /** Maximum ids per list; 0 only counts. */
  readonly limit: number
  /** Restricts the lists to these projects, in their given order. */
  readonly among?: readonly string[]
  /**
   * Restricts the lists to projects that these loads announced and that are not awarded, as New (D3) defines them:
   * newest movement first. `together` then lists the projects of all searches.
   */
  readonly announcedIn?: readonly number[]
  /** Overrides the query timeout for background work. */
  readonly timeoutMs?: number
}

export type ReportIdList = {
  readonly ids: readonly string[]
  readonly total: number
  /** Numbers of all projects in the list, not only those whose ids are listed. */
  readonly new: number
  readonly archived: number
}

/** One list per search, and the latest load and its time, all of one snapshot per search. */
export type ReportIds = {
  readonly lists: readonly ReportIdList[]
  /** Lists a project that several searches find once. */
  readonly together?: ReportIdList
  readonly load: number | null
  readonly dataTime: string | null
}

export type StoredMorningQueue = {
  load_id: number | null
  data_time: string | null
  totals: number[]
  decided: string[][]
  undecided: string[][]
  /** Counts of visible projects with a near deadline, in the order of `NEAR_DEADLINE_KINDS`. */
  near: number[]
}
