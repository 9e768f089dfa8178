import { activeReportFilters, type ReportSearch } from '#contract/report/report-params.ts'
import { type SavedFilter, sameReportFilters, searchOfFilterData } from '#contract/user/saved-filter.ts'

export type SavedView = {
  /** The tab that the present view belongs to; none for filters that nobody saved. */
  readonly tab: 'all' | 'starred' | 'saved' | undefined
  /** The saved filter that the view came from. An id that the user does not have is a colleague's: plain filters. */
  readonly filter: SavedFilter | undefined
  /** The filters in force are no longer those that were saved. */
  readonly isModified: boolean
  /** There is something to save. */
  readonly isFiltered: boolean
}

/** Which tab the present search belongs to. */
export function savedViewOf(search: ReportSearch, filters: readonly SavedFilter[]): SavedView {
  const filter = search.saved === undefined ? undefined : filters.find(({ id }) => id === search.saved)
  const active = activeReportFilters(search)
  const isFiltered = active.length > 0
  if (filter) {
    const isModified = !sameReportFilters(search, searchOfFilterData(filter.filterData).search)
    return { tab: 'saved', filter, isModified, isFiltered }
  }
  const isStarred = active.length === 1 && search.project_bookmark === true
  return { tab: isStarred ? 'starred' : isFiltered ? undefined : 'all', filter, isModified: false, isFiltered }
}
