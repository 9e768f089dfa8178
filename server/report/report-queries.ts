import type { MorningFigures } from '#contract/report/morning-queue.ts'
import type { ReportFacetNames, ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import type { CountedAgencyUnit } from './agency-unit.ts'
import type { FacetCounts, MarkCounts } from './report-filter.ts'
import type { ReportRowFileDetail, StoredReportPage } from './report-rows-sql.ts'
import type { ReportScope, ReportSnapshotScope } from './report-scope.ts'

/**
 * The queries of the report. Two implementations return the same answers: `createSqlReportQueries` and the engine in
 * memory, whose answers may be undefined. `chooseReportQueries` decides which one answers.
 */
export type ReportQueries<Unanswered = never> = {
  page(
    search: ReportSearch,
    scope: ReportSnapshotScope,
    files: ReportRowFileDetail,
  ): Promise<ReportPageResult | Unanswered>
  facets(search: ReportSearch, scope: ReportSnapshotScope): Promise<ReportFacetResult | Unanswered>
  /** Lists the first `limit` ids of each search in its order; ignores paging. */
  ids(searches: readonly ReportSearch[], scope: ReportScope, options: ReportIdOptions): Promise<ReportIds | Unanswered>
  counts(searches: readonly ReportSearch[], scope: ReportScope): Promise<ReportSearchCount[] | Unanswered>
  /** Lists for each search those of these projects that it finds, in the given order. */
  passing(
    searches: readonly ReportSearch[],
    scope: ReportScope,
    projectIds: readonly string[],
  ): Promise<string[][] | Unanswered>
  /**
   * Finds the projects of these searches that the loads announced and that are not awarded, as New (D3) defines them:
   * newest movement first.
   */
  announced(
    searches: readonly ReportSearch[],
    scope: ReportScope,
    options: AnnouncedProjectOptions,
  ): Promise<AnnouncedProjects | Unanswered>
  /** Counts the projects of each purchasing unit that pass all filters but `without`. */
  agencyUnits(
    search: ReportSearch,
    scope: ReportScope,
    without: ReportFilterName,
  ): Promise<CountedAgencyUnit[] | Unanswered>
  queue(search: ReportSearch, scope: ReportScope): Promise<StoredMorningQueue | Unanswered>
  /** Counts the queues of all searches together, each project once: a mail may have several filters. */
  morningFigures(searches: readonly ReportSearch[], scope: ReportScope): Promise<MorningFigures | Unanswered>
}

export type ReportPageResult = { readonly stored: StoredReportPage; readonly filterToRelax: FilterToRelax | undefined }

export type FilterToRelax = { readonly parameter: ReportFilterName; readonly total: number }

export type ReportFacetResult = { readonly counts: FacetCounts; readonly marks: MarkFacetCounts }

export type MarkFacetCounts = {
  readonly marks: Readonly<Partial<Record<ReportFacetNames['options'], MarkCounts>>>
  readonly max_budget: string | null
}

export type ReportIdOptions = {
  readonly limit: number
  /** Overrides the query timeout for background work. */
  readonly timeoutMs?: number
}

/** One list per search, and the latest load and its time, all of one snapshot per search. */
export type ReportIds = {
  readonly lists: readonly { readonly ids: string[]; readonly total: number }[]
  readonly load: number | null
  readonly dataTime: string | null
}

export type AnnouncedProjectOptions = { readonly loads: readonly number[]; readonly limit: number }

export type ReportTabCounts = { readonly active: number; readonly archived: number }

export type AnnouncedProjects = {
  /** The first `limit` projects of each search and of all searches together, in no particular order. */
  readonly ids: readonly string[]
  readonly bySearch: readonly ReportTabCounts[]
  /** Counts a project that several searches find once. */
  readonly together: ReportTabCounts
}

export type ReportSearchCount = { readonly total: number; readonly new: number }

export type StoredMorningQueue = {
  load_id: number | null
  data_time: string | null
  totals: number[]
  decided: string[][]
  undecided: string[][]
  /** Counts of visible projects with a near deadline, in the order of `NEAR_DEADLINE_KINDS`. */
  near: number[]
}
