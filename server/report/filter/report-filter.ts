import type { Sql } from 'sql-template-tag'
import type { Qualifications } from '#contract/account/qualification.ts'
import type { FacetOption, ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { FactCounts, InMemoryReportQuery } from '#server/report/engine/report-engine.ts'
import type { MONEY_BIN_SHIFTS } from '#server/report/packed-row.ts'
import type { MarkCounts } from '#server/report/report-queries.ts'
import type { ProjectMarkKind, ReportScope } from '#server/report/report-scope.ts'

export type CountedMoneyFact = keyof typeof MONEY_BIN_SHIFTS
export type CountedDayFact = keyof FactCounts['days']
export type SharedFlag = keyof InMemoryReportQuery['columns']['kinds']['flags']
export type SharedValueField = keyof InMemoryReportQuery['columns']['kinds']['values']
export type SearchedTextField = Parameters<InMemoryReportQuery['words']['find']>[1][number]
export type PursuedProject = InMemoryReportQuery['pursued'][number]

export type ReportFilterContext = {
  readonly today: string
  readonly bookmarks: ReadonlySet<string>
  readonly labels: ReadonlyMap<string, readonly string[]>
  readonly teamLabels: ReadonlyMap<string, readonly string[]>
  readonly hidden: ReadonlySet<string>
  /** Ids of projects added or changed by a load published after the user's previous visit. */
  readonly sinceVisit: ReadonlySet<string>
  /** Tests a name against a value of `ai_deep_search__in`. */
  readonly isMeant: (sentence: string, name: string) => boolean
  readonly packageProvinces: ReadonlySet<number>
  readonly bidder: Qualifications
  /** Tests whether a stored document of the project contains a folded phrase. */
  readonly isInDocuments: (phrase: string, projectId: string) => boolean
}

export type ReportRowPredicate = (row: ReportRow, context: ReportFilterContext) => boolean

/** Returns 1 for each match of the query's tab that passes. */
export type MatchMaskFn = (query: InMemoryReportQuery) => Uint8Array | Promise<Uint8Array>

/**
 * A filter of the report: its meaning for one row, as SQL and over the columns in memory. The row test is the reference;
 * a conformance test compares all three.
 *
 * An unknown value matches no list and no range, and passes every "is not".
 */
export type ReportFilter<Value> = {
  readonly matches: (value: Value) => ReportRowPredicate
  /** Returns a condition on `m` (`report_matches`) that is true or false, never null. */
  readonly condition: (value: Value, scope: ReportScope, search: ReportSearch) => Sql
  readonly mask: (value: Value) => MatchMaskFn
  /** Counts the filter's options while all other filters apply; null if it has none to count. */
  readonly facet: ReportFacet | null
  readonly markKind?: ProjectMarkKind
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
}

export type ReportFacet = ColumnFacet | MarkFacet

/** A facet over fields that every project has, counted for all facets in one pass over the matches. */
export type ColumnFacet =
  | ColumnFacetOf<'options', FacetOption[]>
  | ColumnFacetOf<'bins', number[]>
  | ColumnFacetOf<'dates', FacetOption[]>

type ColumnFacetOf<Part, Counts> = {
  readonly part: Part
  readonly countRows: (rows: PackedFacetRowCounter) => Counts
  /** Same result as `countRows`, from the counts of the sets of matches that the facet covers. */
  readonly countParts: (parts: readonly FactCounts[], query: InMemoryReportQuery) => Counts
}

/** Counts the packed rows (packed-row.ts) that fail no filter except the facet's own. */
export type PackedFacetRowCounter = {
  readonly today: string
  readonly packageProvinces: ReadonlySet<number>
  readonly values: ReadonlyMap<number, string>
  /** Counts the values `((number >> shift) & mask) - first` below `size`. */
  readonly count: (
    offset: number,
    size: number,
    bits?: { readonly shift?: number; readonly mask?: number; readonly first?: number },
  ) => Uint32Array
  readonly forEachRow: (visit: (numbers: Int16Array, offset: number) => void) => void
}

/** A facet over marks of users and teams. Few projects have any, so both engines visit the marks, not the matches. */
export type MarkFacet = {
  readonly part: 'marks'
  /** Value of the option for projects without a mark; without it there is no such option. */
  readonly unmarkedValue?: string
  /** Selects `MarkCounts` as one JSON value. */
  readonly countSql: (matches: MarkedMatchesSql) => Sql
  readonly count: (input: MarkFacetInput) => MarkCounts
}

export type MarkedMatchesSql = {
  readonly scope: ReportScope
  readonly search: ReportSearch
  readonly otherFilters: Sql
  /** Joins a FROM item `mark` to its match if the match is in the report and passes all other filters. */
  readonly joinMatch: Sql
  /** Same as `joinMatch`, including projects that the user has hidden. */
  readonly joinMatchEvenHidden: Sql
  /** Condition for the matches that the report of a search covers before its filters apply. */
  readonly coveredBy: (search: ReportSearch) => Sql
}

export type MarkFacetInput = {
  readonly query: InMemoryReportQuery
  /** Counts the matches at these positions that pass all other filters. */
  readonly countPassing: (positions: Int32Array, options?: { readonly withHidden: true }) => number
  /** The same query without the filters that widen the tab, over the matches of both tabs whose contracts end soon. */
  readonly ending: { readonly query: InMemoryReportQuery; readonly passing: Int32Array }
}
