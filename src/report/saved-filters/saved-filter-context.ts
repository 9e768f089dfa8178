import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { hasSameFilters, parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { clearReportFilters, listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import type { ReportUrlSearch } from '#src/lib/report-url.ts'

export type VisibleSavedFilter = SavedFilter & {
  readonly owner?: number
  readonly owner_name?: string
}

type SavedView = {
  readonly tab: 'all' | 'starred' | 'saved' | undefined
  /** With an unknown id, e.g. a colleague's, the view counts as unsaved filters. */
  readonly filter: VisibleSavedFilter | undefined
  readonly isModified: boolean
  readonly isFiltered: boolean
}

export function getSavedView(search: ReportSearch, filters: readonly VisibleSavedFilter[]): SavedView {
  const filter = search.saved === undefined ? undefined : filters.find(({ id }) => id === search.saved)
  // Every saved filter has a segment, so the segment alone does not count as a filter.
  const active = listFiltersExceptBidStateSegment(search)
  const isFiltered = active.length > 0
  if (filter) {
    const isModified = !hasSameFilters(search, parseFilterCriteria(filter.filterData).search)
    return { tab: 'saved', filter, isModified, isFiltered }
  }
  const isStarred = active.length === 1 && search.project_bookmark === true
  return { tab: isStarred ? 'starred' : isFiltered ? undefined : 'all', filter, isModified: false, isFiltered }
}

/** Returns the search for all starred projects. They may have any status, so the search has no segment. */
export function toAllStarredSearch(search: ReportSearch): ReportSearch {
  const { project_bidding__in: _segment, ...searchWithoutFilters } = clearReportFilters(search)
  return { ...searchWithoutFilters, project_bookmark: true }
}

export type SavedFilterDialogTask =
  | { readonly kind: 'save' }
  | { readonly kind: 'rename'; readonly id: string }
  | { readonly kind: 'manage' }

export type SavedFilterContext = {
  readonly filters: readonly SavedFilter[]
  readonly allFilters: readonly VisibleSavedFilter[]
  readonly search: ReportSearch
  readonly view: SavedView
  readonly change: ChangeReportSearchFn
  readonly open: (address: ReportUrlSearch) => void
  readonly start: (task: SavedFilterDialogTask) => void
}
