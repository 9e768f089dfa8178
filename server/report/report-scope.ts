import type { DocumentSearchResults, SemanticSearchResults } from './deep/semantic-search-hits.ts'
import type { EligibilityTable } from './eligibility/eligibility-table.ts'
import type { FitRanking } from './fit/fit-ranking.ts'

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

export type ProjectMarkKind = 'hidden' | 'bookmarked' | 'labelled'

/** Versions of everything that the report of an organisation depends on. Equal versions mean equal reports. */
export type ReportSnapshotVersion = {
  readonly projects: string
  readonly matches: string | null
  readonly latest: string | null
  readonly board: string | null
}

export type ReportSnapshot = ReportSnapshotVersion & {
  readonly marks: Readonly<Record<ProjectMarkKind, string | null>>
  /** The organisation's `max_project_budget` in baht, as text. */
  readonly max_budget: string | null
}

export type ReportSnapshotScope = ReportScope & { readonly snapshot?: ReportSnapshot | undefined }
