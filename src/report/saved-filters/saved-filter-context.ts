import type { Label } from '#contract/account/label.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { sameReportFilters, searchOfFilterData } from '#contract/report/saved-filter-search.ts'
import { filtersBesideSegment } from '#src/lib/bid-segment.ts'
import type { ReportAddress } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'

export type ShownFilter = SavedFilter & {
  /** User id and name of the colleague who shares it. */
  readonly owner?: number
  readonly owner_name?: string
}

type SavedView = {
  /** Tab of the current view; undefined for unsaved filters. */
  readonly tab: 'all' | 'starred' | 'saved' | undefined
  /** The saved filter behind the view. An unknown id, e.g. a colleague's, is treated as plain filters. */
  readonly filter: ShownFilter | undefined
  readonly isModified: boolean
  readonly isFiltered: boolean
}

export function savedViewOf(search: ReportSearch, filters: readonly ShownFilter[]): SavedView {
  const filter = search.saved === undefined ? undefined : filters.find(({ id }) => id === search.saved)
  // Every saved filter has a segment, so the segment alone is not a filter.
  const active = filtersBesideSegment(search)
  const isFiltered = active.length > 0
  if (filter) {
    const isModified = !sameReportFilters(search, searchOfFilterData(filter.filterData).search)
    return { tab: 'saved', filter, isModified, isFiltered }
  }
  const isStarred = active.length === 1 && search.project_bookmark === true
  return { tab: isStarred ? 'starred' : isFiltered ? undefined : 'all', filter, isModified: false, isFiltered }
}

export type FilterTask =
  | { readonly kind: 'save' }
  | { readonly kind: 'rename'; readonly id: string }
  | { readonly kind: 'manage' }

export type SavedFilterContext = {
  readonly filters: readonly SavedFilter[]
  /** The user's own filters, then those shared by colleagues. */
  readonly shown: readonly ShownFilter[]
  readonly labels: readonly Label[]
  readonly search: ReportSearch
  readonly view: SavedView
  readonly change: ChangeReport
  readonly open: (address: ReportAddress) => void
  /** The user's global mail switch (`is_send_report_email`). */
  readonly isMailOn: boolean
  readonly isDemo: boolean
  /** Opens a dialog and remembers the focused element to return to. */
  readonly start: (task: FilterTask) => void
}
