import type { DeepSearchResults, DocumentSearchResults } from './deep/deep-search-hits.ts'

/** End of the user's previous visit (UTC ISO) and the loads published since. */
export type PreviousReportVisit = { readonly endedAt: string; readonly loads: readonly number[] }

export type ReportScope = {
  readonly organisationId: number
  readonly userId: number
  readonly today: string
  readonly visit?: PreviousReportVisit | undefined
  readonly deep?: DeepSearchResults
  readonly documents?: DocumentSearchResults
  /** Codes of the provinces in the organisation's package (`resolveReportSearchScope`). */
  readonly packageProvinces?: ReadonlySet<number>
}
