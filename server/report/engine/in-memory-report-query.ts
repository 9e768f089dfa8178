import type { ReportSearch } from '#contract/report/report-params.ts'
import type { DocumentSearchResults, SemanticSearchResults } from '#server/report/deep/semantic-search-hits.ts'
import type { EligibilityTable } from '#server/report/eligibility/eligibility-table.ts'
import type { FitRanking } from '#server/report/fit/fit-ranking.ts'
import type { PreviousReportVisit, ReportScope } from '#server/report/report-scope.ts'
import type { CachedReportTabMatches } from './cached-matches.ts'
import type { MarkedProjectPositions } from './mark-cache.ts'
import { createMatchFlags, type MatchFlags } from './match-flags.ts'
import type { ReportTabMatches } from './match-set.ts'
import type { CachedProjects } from './project-cache.ts'
import type { ProjectColumns } from './project-columns.ts'
import type { PursuedProject } from './pursuit-cache.ts'
import { findSemanticSearchMatches, type SemanticSearchMatches } from './semantic-search-matches.ts'
import type { TermOccurrenceCache } from './term-occurrence-cache.ts'

export type ReportQueryData = {
  readonly search: ReportSearch
  readonly today: string
  readonly visit: PreviousReportVisit | undefined
  readonly columns: ProjectColumns
  readonly words: TermOccurrenceCache
  readonly tab: ReportTabMatches
  readonly changes: Uint8Array
  readonly documents: DocumentSearchResults | undefined
  readonly deepMatches: SemanticSearchMatches | undefined
  readonly pursued: readonly PursuedProject[]
  /** Empty unless the search filters by the package or facets are counted. */
  readonly packageProvinces: ReadonlySet<number>
  /** Set if the search filters by eligibility or facets are counted. */
  readonly eligibility: EligibilityTable | undefined
  /** Set if the search is ordered by fit. */
  readonly fit: FitRanking | undefined
} & MarkedProjectPositions

/** What filters and facets know of a query and its matches. All positions refer to `tab`. */
export type InMemoryReportQuery = ReportQueryData & MatchFlags

export const withMatchFlags = (data: ReportQueryData): InMemoryReportQuery => ({ ...data, ...createMatchFlags(data) })

type QueryParts = {
  readonly projects: CachedProjects
  readonly cachedTab: CachedReportTabMatches
  readonly positions: MarkedProjectPositions
  readonly pursued: readonly PursuedProject[]
  readonly documents: DocumentSearchResults | undefined
  readonly deep: SemanticSearchResults | undefined
  readonly packageProvinces: ReadonlySet<number> | undefined
  readonly eligibility: EligibilityTable | undefined
  readonly fit: FitRanking | undefined
}

export function toInMemoryReportQuery(
  search: ReportSearch,
  scope: ReportScope,
  parts: QueryParts,
): InMemoryReportQuery {
  const {
    projects,
    cachedTab,
    positions,
    pursued,
    documents,
    deep,
    eligibility,
    fit,
    packageProvinces = new Set(),
  } = parts
  const { columns, words } = projects
  const { tab, changes } = cachedTab
  const deepMatches = findSemanticSearchMatches(search, deep, { columns, tab })
  return withMatchFlags({
    search,
    today: scope.today,
    visit: scope.visit,
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
