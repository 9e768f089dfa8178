import type { DocumentSearchResults, SemanticSearchResults } from './deep/semantic-search-hits.ts'
import type { EligibilityTable } from './eligibility/eligibility-table.ts'

/** End of the user's previous visit (UTC ISO) and the loads published since. */
export type PreviousReportVisit = { readonly endedAt: string; readonly loads: readonly number[] }

export type ReportScope = {
  readonly organisationId: number
  readonly userId: number
  readonly today: string
  readonly visit?: PreviousReportVisit | undefined
  readonly deep?: SemanticSearchResults
  readonly documents?: DocumentSearchResults
  /** Codes of the provinces in the organisation's package (`resolveReportSearchScope`). */
  readonly packageProvinces?: ReadonlySet<number>
  /** The verdicts of the organisation's qualifications (`resolveReportSearchScope`). */
  readonly eligibility?: EligibilityTable
}

/** Kinds of marks that a user sets on projects. */
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

/** A scope with the snapshot that the request has already read. */
export type ReportSnapshotScope = ReportScope & { readonly snapshot?: ReportSnapshot | undefined }
