import type { FacetOption } from '#contract/report/report.ts'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import type { DeadlineFilters, FacetCounts, MarkCounts } from '#server/report/report-queries.ts'
import type { ProjectMarkKind } from '#server/report/report-scope.ts'
import type { FactCounts } from './count-project-facets.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'

export type ActiveEngineFilter = {
  readonly name: ReportFilterName
  readonly value: unknown
  readonly filter: {
    readonly mask: (value: unknown) => (query: InMemoryReportQuery) => Uint8Array | Promise<Uint8Array>
    readonly isJoined?: boolean
    readonly markKind?: ProjectMarkKind
    readonly showsHidden?: boolean
  }
  readonly isOnlyReasonForArchived: boolean
}

type ColumnFacet = {
  readonly countParts: (parts: readonly FactCounts[], query: InMemoryReportQuery) => FacetOption[] | number[]
}

type MarkFacet = {
  readonly count: (input: {
    readonly query: InMemoryReportQuery
    readonly countPassing: (positions: Int32Array, options?: { readonly withHidden: true }) => number
    readonly ending: { readonly query: InMemoryReportQuery; readonly passing: Int32Array }
  }) => MarkCounts
}

/** The report's filters, passed in by the caller, so that the engine does not depend on their implementation. */
export type EngineFilterSet = {
  /** Returns the filters of a search in evaluation order. */
  readonly getActiveFilters: (search: ReportSearch) => readonly ActiveEngineFilter[]
  withoutWideningFilters(search: ReportSearch): ReportSearch
  countColumnFacets(
    count: (name: ReportFilterName, facet: ColumnFacet) => FacetOption[] | number[],
  ): Pick<FacetCounts, 'options' | 'bins' | 'dates'>
  countPassingBut(countOf: (name: ReportFilterName) => number): FacetCounts['passingBut']
  readonly columnFacetNames: ReadonlySet<ReportFilterName>
  readonly markFacets: readonly { readonly name: ReportFilterName; readonly facet: MarkFacet }[]
  readonly deadlineFilters: DeadlineFilters
}
